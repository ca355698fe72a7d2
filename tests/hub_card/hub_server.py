"""A Hub on loopback, enough for huggingface_hub and datasets: git-backed, with faults on order."""

import json
import re
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from tests.hub_card.git_repo import GitRepo, RefusalError


@dataclass
class Fault:
    """What goes wrong with requests whose method and path match, `times` times.

    `status` answers instead of the Hub; `drop` closes the connection, "after" the request took effect or "before".
    """

    pattern: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    drop: str = ""
    times: int = 1


@dataclass
class Hub:
    """The state behind the server: repositories, tokens (token → user, role) and the log of requests."""

    root: Path
    tokens: dict[str, tuple[str, str]]
    repos: dict[str, GitRepo] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    url: str = ""

    def fault(self, request: str) -> Fault | None:
        for fault in self.faults:
            if fault.times and re.search(fault.pattern, request):
                fault.times -= 1
                return fault
        return None

    def repo(self, name: str) -> GitRepo:
        if name not in self.repos:
            raise RefusalError(404, "Repository not found", "RepoNotFound")
        return self.repos[name]


@contextmanager
def serving(root: Path, tokens: dict[str, tuple[str, str]]) -> Iterator[Hub]:
    """A running Hub, stopped on leaving."""
    hub = Hub(root, tokens)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Handler(BaseHTTPRequestHandler):
    """One request; the routes are at the end."""

    protocol_version = "HTTP/1.1"
    hub: ClassVar[Hub]

    def log_message(self, *arguments: object) -> None:
        """Silence: the log is `hub.log`."""

    def answer_any(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        self.query = urllib.parse.parse_qs(url.query)
        self.body = self._read()
        request = f"{self.command} {url.path}"
        self.hub.log.append(request)
        for pattern in [pattern for pattern in self.hub.before if re.search(pattern, request)]:
            self.hub.before.pop(pattern)()
        fault = self.hub.fault(request)
        if fault and fault.drop == "before":
            self._drop()
            return
        if fault and fault.status:
            self.send(fault.status, {"error": "fault"}, fault.headers)
            return
        self.dropping = bool(fault and fault.drop == "after")
        try:
            self._route(url.path)
        except RefusalError as refusal:
            headers = {"X-Error-Message": refusal.message} | ({"X-Error-Code": refusal.code} if refusal.code else {})
            self.send(refusal.status, {"error": refusal.message}, headers)

    do_GET = do_POST = do_PUT = do_HEAD = answer_any  # noqa: N815

    def send(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        if self.dropping_now():
            return
        payload = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if not isinstance(data, bytes):
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)

    def dropping_now(self) -> bool:
        if getattr(self, "dropping", False):
            self._drop()
            return True
        return False

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(2)

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _route(self, path: str) -> None:
        for method, pattern, function in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and self.command in (method, "HEAD" if method == "GET" else method):
                function(self, *[urllib.parse.unquote(part or "") for part in match.groups()])
                return
        raise RefusalError(404, f"no such page: {path}")

    def user(self) -> str | None:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if not token:
            return None
        if token not in self.hub.tokens:
            raise RefusalError(401, "Invalid credentials in Authorization header")
        return self.hub.tokens[token][0]

    def open(self, name: str, write: bool = False, content: bool = False) -> GitRepo:
        repo, user = self.hub.repo(name), self.user()
        mine = user == repo.owner
        if repo.private and not mine:
            raise RefusalError(401 if user is None else 404, "Repository not found", "RepoNotFound")
        if write and not (mine and self._may_write()):
            raise RefusalError(403, "You don't have the rights to write to this repository")
        if content and repo.gated and not mine:
            raise RefusalError(401 if user is None else 403, f"Access to dataset {name} is restricted.", "GatedRepo")
        return repo

    def _may_write(self) -> bool:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return self.hub.tokens.get(token, ("", "read"))[1] == "write"

    def whoami(self) -> None:
        user = self.user()
        if user is None:
            raise RefusalError(401, "Invalid username or password.")
        role = self.hub.tokens[self.headers["Authorization"].removeprefix("Bearer ")][1]
        auth = {"type": "access_token", "accessToken": {"displayName": "t", "role": role}}
        self.send(200, {"type": "user", "id": user, "name": user, "fullname": user, "orgs": [], "auth": auth})

    def create(self) -> None:
        wanted, user = json.loads(self.body), self.user()
        name = f"{wanted.get('organization') or user}/{wanted['name']}"
        if user is None or not self._may_write() or not name.startswith(f"{user}/"):
            raise RefusalError(403, f"You don't have the rights to create {name}")
        answer = {"url": f"{self.hub.url}/datasets/{name}", "name": name, "id": name}
        if name in self.hub.repos:
            self.send(409, answer | {"error": "You already created this dataset repo"})
            return
        private = bool(wanted.get("private")) or wanted.get("visibility") == "private"
        self.hub.repos[name] = GitRepo(self.hub.root / name, user, private)
        self.send(200, answer)

    def settings(self, name: str) -> None:
        repo, wanted = self.open(name, write=True), json.loads(self.body)
        repo.gated = wanted.get("gated", repo.gated)
        if "visibility" in wanted or "private" in wanted:
            repo.private = wanted.get("visibility") == "private" or bool(wanted.get("private"))
        self.send(200, {})

    def validate_yaml(self) -> None:
        self.send(200, {"errors": [], "warnings": []})

    def info(self, name: str, revision: str = "") -> None:
        repo = self.open(name)
        commit = repo.resolve(revision or "main")
        files = [{"rfilename": entry["path"]} for entry in repo.tree(commit)]
        known = {"id": name, "sha": commit, "private": repo.private, "gated": repo.gated, "siblings": files}
        times = {"lastModified": "2026-01-01T00:00:00.000Z", "createdAt": "2026-01-01T00:00:00.000Z"}
        self.send(200, {"_id": name, "author": repo.owner, "disabled": False, "downloads": 0, "likes": 0, "tags": [],
                        **known, **times})  # fmt: skip

    def refs(self, name: str) -> None:
        repo = self.open(name)
        self.send(200, {"branches": repo.refs("refs/heads"), "tags": repo.refs("refs/tags"), "converts": []})

    def tree(self, name: str, revision: str, path: str) -> None:
        repo = self.open(name)
        commit = repo.resolve(revision)
        inside = f"{path.rstrip('/')}/" if path else ""
        found = [entry for entry in repo.tree(commit) if entry["path"].startswith(inside)]
        if inside and not found:
            raise RefusalError(404, f"{path} does not exist", "EntryNotFound")
        if self.query.get("recursive", ["false"])[0].lower() not in ("true", "1"):
            found = _children(found, inside)
        self.send(200, found, {"X-Repo-Commit": commit})

    def paths_info(self, name: str, revision: str) -> None:
        repo = self.open(name)
        if "json" in self.headers.get("Content-Type", ""):
            wanted = json.loads(self.body)["paths"]
        else:
            wanted = urllib.parse.parse_qs(self.body.decode()).get("paths", [])
        self.send(200, [entry for entry in repo.tree(repo.resolve(revision)) if entry["path"] in wanted])

    def preupload(self, name: str, revision: str) -> None:
        repo = self.open(name, write=True)
        known = {entry["path"]: entry for entry in repo.tree(repo.resolve(revision))}
        found = []
        for file in json.loads(self.body)["files"]:
            mode = "lfs" if file["path"].endswith(".parquet") else "regular"
            answer = {"path": file["path"], "uploadMode": mode, "shouldIgnore": False}
            if file["path"] in known:
                answer["oid"] = known[file["path"]].get("lfs", known[file["path"]])["oid"]
            found.append(answer)
        self.send(200, {"files": found})

    def lfs_batch(self, name: str) -> None:
        repo = self.open(name, write=True)
        objects = []
        for wanted in json.loads(self.body)["objects"]:
            known = {"oid": wanted["oid"], "size": wanted["size"]}
            if not repo.stored(wanted["oid"]).exists():
                known["actions"] = {"upload": {"href": f"{self.hub.url}/lfs/{name}/{wanted['oid']}"}}
            objects.append(known)
        headers = {"Content-Type": "application/vnd.git-lfs+json"}
        self.send(200, {"transfer": "basic", "objects": objects}, headers)

    def lfs_put(self, name: str, oid: str) -> None:
        self.hub.repo(name).store(oid, self.body)
        self.send(200, b"")

    def commit(self, name: str, _revision: str) -> None:
        repo = self.open(name, write=True)
        header, *operations = [json.loads(line) for line in self.body.splitlines()]
        new = repo.commit(header["value"], operations)
        self.send(200, {"commitUrl": f"{self.hub.url}/datasets/{name}/commit/{new}", "commitOid": new})

    def tag(self, name: str, revision: str) -> None:
        repo, wanted = self.open(name, write=True), json.loads(self.body)
        repo.tag(wanted["tag"], repo.resolve(revision), wanted.get("message"))
        self.send(200, {})

    def resolve(self, name: str, revision: str, path: str) -> None:
        repo = self.open(name, content=True)
        commit = repo.resolve(revision)
        entry = repo.entry(commit, path)
        data = repo.content(entry)
        headers = {"X-Repo-Commit": commit, "ETag": f'"{entry.get("lfs", entry)["oid"]}"', "Accept-Ranges": "bytes"}
        if "lfs" in entry:
            headers |= {"X-Linked-Size": str(len(data)), "X-Linked-Etag": f'"{entry["lfs"]["oid"]}"'}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            self.send(200, data, headers)
            return
        start, end = int(asked[1]), int(asked[2] or len(data) - 1)
        headers["Content-Range"] = f"bytes {start}-{min(end, len(data) - 1)}/{len(data)}"
        self.send(206, data[start : end + 1], headers)


def _children(entries: list[dict[str, Any]], inside: str) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        name, slash, _ = entry["path"].removeprefix(inside).partition("/")
        folder = {"type": "directory", "oid": "0" * 40, "size": 0, "path": inside + name}
        found[name] = folder if slash else entry
    return list(found.values())


NAME, PART = r"([^/]+/[^/]+)", r"([^/]+)"
ROUTES: list[tuple[str, str, Callable[..., None]]] = [
    ("GET", "/api/whoami-v2", Handler.whoami),
    ("POST", "/api/repos/create", Handler.create),
    ("POST", "/api/validate-yaml", Handler.validate_yaml),
    ("PUT", f"/api/datasets/{NAME}/settings", Handler.settings),
    ("GET", f"/api/datasets/{NAME}", Handler.info),
    ("GET", f"/api/datasets/{NAME}/revision/{PART}", Handler.info),
    ("GET", f"/api/datasets/{NAME}/refs", Handler.refs),
    ("GET", f"/api/datasets/{NAME}/tree/{PART}(?:/(.*))?", Handler.tree),
    ("POST", f"/api/datasets/{NAME}/paths-info/{PART}", Handler.paths_info),
    ("POST", f"/api/datasets/{NAME}/preupload/{PART}", Handler.preupload),
    ("POST", f"/datasets/{NAME}\\.git/info/lfs/objects/batch", Handler.lfs_batch),
    ("PUT", f"/lfs/{NAME}/{PART}", Handler.lfs_put),
    ("POST", f"/api/datasets/{NAME}/commit/{PART}", Handler.commit),
    ("POST", f"/api/datasets/{NAME}/tag/{PART}", Handler.tag),
    ("GET", f"/datasets/{NAME}/resolve/{PART}/(.+)", Handler.resolve),
]

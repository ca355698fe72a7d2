"""A dataset repository of the test Hub: a bare git repository, large files as LFS pointers beside an object store."""

import base64
import hashlib
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

POINTER = re.compile(rb"version https://git-lfs.github.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (\d+)\n")
ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "hub"), ("EMAIL", "hub@invalid"), ("DATE", "1700000000 +0000"))
    },
}


class RefusalError(Exception):
    """A request the Hub answers with an error status."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


class GitRepo:
    """One repository; commits and annotated tags are real git objects."""

    def __init__(self, folder: Path, owner: str, private: bool) -> None:
        self.folder, self.owner, self.private = folder, owner, private
        self.gated: str | bool = False
        self.pointers: dict[str, bytes] = {}
        self.lock = threading.RLock()
        (folder / "lfs").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder / "git")], check=True)  # noqa: S607
        blob = self.git("hash-object", "-w", "--stdin", data=ATTRIBUTES)
        tree = self.git("mktree", data=f"100644 blob {blob}\t.gitattributes\n".encode())
        self.git("update-ref", "refs/heads/main", self.git("commit-tree", tree, data=b"initial commit\n"))

    def git(self, *arguments: str, data: bytes | None = None, index: str | None = None) -> str:
        return self.raw(*arguments, data=data, index=index).decode().strip()

    def raw(self, *arguments: str, data: bytes | None = None, index: str | None = None) -> bytes:
        environment = {**os.environ, **ENVIRONMENT, **({"GIT_INDEX_FILE": index} if index else {})}
        command = ["git", f"--git-dir={self.folder / 'git'}", *arguments]
        done = subprocess.run(command, input=data, capture_output=True, env=environment)
        if done.returncode:
            raise RefusalError(500, f"git {arguments[0]}: {done.stderr.decode()}")
        return done.stdout

    def resolve(self, revision: str) -> str:
        for reference in (f"refs/heads/{revision}", f"refs/tags/{revision}", revision):
            try:
                return self.git("rev-parse", "-q", "--verify", f"{reference}^{{commit}}")
            except RefusalError:
                continue
        raise RefusalError(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def refs(self, prefix: str) -> list[dict[str, str]]:
        shown = self.git("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", prefix)
        rows = [line.split() for line in shown.splitlines()]
        return [{"name": row[0].removeprefix(f"{prefix}/"), "ref": row[0], "targetCommit": row[-1]} for row in rows]

    def tree(self, commit: str) -> list[dict[str, Any]]:
        lines = self.raw("ls-tree", "-r", "-z", "-l", "--full-tree", commit).decode().split("\0")
        return [self._entry(*line.split("\t", 1)) for line in lines if line]

    def entry(self, commit: str, path: str) -> dict[str, Any]:
        found = [entry for entry in self.tree(commit) if entry["path"] == path]
        if not found:
            raise RefusalError(404, "Entry not found", "EntryNotFound")
        return found[0]

    def content(self, entry: dict[str, Any]) -> bytes:
        if "lfs" in entry:
            return self.stored(entry["lfs"]["oid"]).read_bytes()
        return self.raw("cat-file", "blob", entry["oid"])

    def stored(self, oid: str) -> Path:
        return self.folder / "lfs" / oid

    def store(self, oid: str, data: bytes) -> None:
        if hashlib.sha256(data).hexdigest() != oid:
            raise RefusalError(400, "sha256 mismatch")
        temporary = self.stored(oid).with_suffix(f".{threading.get_ident()}")
        temporary.write_bytes(data)
        temporary.replace(self.stored(oid))

    def commit(self, header: dict[str, Any], operations: list[dict[str, Any]]) -> str:
        with self.lock, tempfile.TemporaryDirectory() as folder:
            parent = self.resolve("main")
            if header.get("parentCommit") not in (None, parent):
                raise RefusalError(412, "A commit has happened since. Please refresh and try again.")
            index = f"{folder}/index"
            self.git("read-tree", parent, index=index)
            self.git("update-index", "--index-info", data=self._index(operations, Path(folder)), index=index)
            tree = self.git("write-tree", index=index)
            new = self.git("commit-tree", tree, "-p", parent, data=f"{header['summary']}\n".encode())
            self.git("update-ref", "refs/heads/main", new, parent)
            return new

    def tag(self, name: str, commit: str, message: str | None) -> None:
        with self.lock:
            if any(ref["name"] == name for ref in self.refs("refs/tags")):
                raise RefusalError(409, f"Tag reference exists already: {name}")
            annotation = ["-a", "-m", message] if message else []
            self.git("tag", *annotation, name, commit)

    def _index(self, operations: list[dict[str, Any]], folder: Path) -> bytes:
        kept = [operation["value"] for operation in operations if operation["key"] != "deletedFile"]
        files = [folder / str(number) for number in range(len(kept))]
        for file, value in zip(files, kept, strict=True):
            file.write_bytes(self._blob(value))
        oids = self.git("hash-object", "-w", "--no-filters", "--stdin-paths", data="\n".join(map(str, files)).encode())
        gone = [operation["value"]["path"] for operation in operations if operation["key"] == "deletedFile"]
        lines = [f"100644 {oid}\t{value['path']}" for oid, value in zip(oids.split(), kept, strict=True)]
        return "".join(f"{line}\n" for line in [*(f"0 {'0' * 40}\t{path}" for path in gone), *lines]).encode()

    def _blob(self, value: dict[str, Any]) -> bytes:
        if "content" in value:
            return base64.b64decode(value["content"])
        size = self.stored(value["oid"]).stat().st_size
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{value['oid']}\nsize {size}\n".encode()

    def _pointer(self, oid: str) -> bytes:
        if oid not in self.pointers:
            self.pointers[oid] = self.raw("cat-file", "blob", oid)
        return self.pointers[oid]

    def _entry(self, info: str, path: str) -> dict[str, Any]:
        _, _, oid, size = info.split()
        entry: dict[str, Any] = {"type": "file", "oid": oid, "size": int(size), "path": path}
        if path.endswith(".parquet") and (pointer := POINTER.fullmatch(self._pointer(oid))):
            lfs = {"oid": pointer[1].decode(), "size": int(pointer[2]), "pointerSize": int(size)}
            entry |= {"size": lfs["size"], "lfs": lfs}
        return entry

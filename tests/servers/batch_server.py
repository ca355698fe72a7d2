"""A local server that speaks the batch protocols of OpenAI and Anthropic: files, batches, polling, results, expiry."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.chat_server import Reply

Answer = Callable[[str, dict[str, Any]], Reply | None]


class BatchServer:
    """The running server. `answer` gives each request its reply, None an expired one; `polls` are needed to end.

    `trouble` gives the status a call fails with, by method and path, before anything is done; `late_trouble` after it.
    Batches in `running` do not end, those in `lost` are unknown, those in `archived` have no results any more.
    """

    def __init__(self, answer: Answer, polls: int) -> None:
        self.answer, self.polls = answer, polls
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.looks: dict[str, int] = {}
        self.asked: list[str] = []
        self.on_submitted: Callable[[], None] = lambda: None
        self.on_request: Callable[[], None] = lambda: None
        self.trouble: Callable[[str, str], int | None] = lambda _method, _path: None
        self.late_trouble: Callable[[str, str], int | None] = lambda _method, _path: None
        self.running: set[str] = set()
        self.lost: set[str] = set()
        self.archived: set[str] = set()
        self.refusal: str | None = None
        self.page = 100
        self.spoil: Callable[[bytes], bytes] = lambda content: content
        self.url = ""

    def submit(
        self, protocol: str, items: list[tuple[str, dict[str, Any]]], metadata: dict[str, str], endpoint: str = ""
    ) -> dict[str, Any]:
        """A new batch of (id, body) items."""
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {
            "protocol": protocol,
            "items": items,
            "metadata": metadata,
            "made": datetime.now(UTC),
            "endpoint": endpoint,
        }
        self.looks[name] = 0
        self.asked.extend(key for key, _ in items)
        told = self.show(name)
        self.on_submitted()
        return told

    def show(self, name: str, *, look: bool = False) -> dict[str, Any]:
        """A batch as its protocol shows it."""
        batch = self.batches[name]
        self.looks[name] += look
        ended = self.looks[name] >= self.polls and name not in self.running
        kept = ended and name not in self.archived
        count = len(batch["items"])
        if batch["protocol"] == "anthropic":
            counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0}
            made = batch["made"].isoformat()
            return {
                "id": name,
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {"errored": 0, "canceled": 0, "expired": 0, **counts},
                "created_at": made,
                "expires_at": made,
                "results_url": f"{self.url}/v1/messages/batches/{name}/results" if kept else None,
            }
        return {
            "id": name,
            "object": "batch",
            "endpoint": batch["endpoint"],
            "completion_window": "24h",
            "created_at": int(batch["made"].timestamp()),
            "input_file_id": "f",
            "status": "completed" if ended else "in_progress",
            "output_file_id": f"out-{name}" if ended else None,
            "request_counts": {"total": count, "completed": count if ended else 0, "failed": 0},
            "metadata": batch["metadata"],
            **({"status": "failed", "errors": {"data": [{"message": self.refusal}]}} if self.refusal else {}),
        }

    def listed(self, protocol: str, after: str | None) -> dict[str, Any]:
        """A page of the batches, the newest first."""
        names = [name for name, batch in reversed(self.batches.items()) if batch["protocol"] == protocol]
        left = names[names.index(after) + 1 :] if after else names
        shown = [self.show(name) for name in left[: self.page]]
        first, last = (shown[0]["id"], shown[-1]["id"]) if shown else (None, None)
        more = len(left) > len(shown)
        return {"object": "list", "data": shown, "has_more": more, "first_id": first, "last_id": last}

    def results(self, name: str) -> bytes:
        """The results of a batch as lines."""
        batch = self.batches[name]
        lines = []
        for key, body in batch["items"]:
            spoken = "responses" if batch["endpoint"].endswith("responses") else batch["protocol"]
            reply = self.answer(spoken, body)
            lines.append(json.dumps(_line(batch["protocol"], key, reply)))
        return self.spoil("\n".join(lines).encode() + b"\n")


def _line(protocol: str, key: str, reply: Reply | None) -> dict[str, Any]:
    if protocol == "anthropic":
        if reply is None:
            return {"custom_id": key, "result": {"type": "expired"}}
        if reply.status != 200:
            return {"custom_id": key, "result": {"type": "errored", "error": reply.body}}
        return {"custom_id": key, "result": {"type": "succeeded", "message": reply.body}}
    if reply is None:
        return {"custom_id": key, "response": None, "error": {"code": "batch_expired", "message": "expired"}}
    return {"custom_id": key, "response": {"status_code": reply.status, "request_id": "r", "body": reply.body}}


def _problem(words: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": "api_error", "message": words}}


class _Handler(BaseHTTPRequestHandler):
    server: "_Http"

    def do_GET(self) -> None:
        self.server.batches.on_request()
        address = urlsplit(self.path)
        parts = address.path.strip("/").split("/")
        batches, results = self.server.batches, parts[-1] in ("results", "content")
        name = parts[-2].removeprefix("out-") if results else parts[-1]
        if (status := batches.trouble("GET", self.path)) is not None:
            self._send(_problem("no"), status=status)
        elif name in batches.lost or (results and name in batches.archived):
            self._send(_problem("it is not there"), status=404)
        elif results:
            self._send(batches.results(name), "application/x-jsonl")
        elif parts[-1] == "batches":
            protocol = "anthropic" if "messages" in parts else "openai"
            asked = parse_qs(address.query)
            after = asked.get("after_id") or asked.get("after")
            self._send(batches.listed(protocol, after[0] if after else None))
        else:
            self._send(batches.show(name, look=True))

    def do_POST(self) -> None:
        self.server.batches.on_request()
        body = self.rfile.read(int(self.headers["content-length"]))
        batches = self.server.batches
        if (status := batches.trouble("POST", self.path)) is not None:
            self._send(_problem("no"), status=status)
        elif self.path.endswith("/files"):
            name = f"file_{len(batches.files)}"
            batches.files[name] = body
            self._send(
                {
                    "id": name,
                    "object": "file",
                    "bytes": 1,
                    "created_at": 0,
                    "filename": "f",
                    "purpose": "batch",
                    "status": "processed",
                }
            )
        elif "messages" in self.path:
            requests = json.loads(body)["requests"]
            self._send(batches.submit("anthropic", [(r["custom_id"], r["params"]) for r in requests], {}))
        else:
            wanted = json.loads(body)
            lines = [
                line for line in batches.files[wanted["input_file_id"]].splitlines() if line.startswith(b'{"custom_id"')
            ]
            told = [json.loads(line) for line in lines]
            if {item["url"] for item in told} != {wanted["endpoint"]}:
                self.send_error(400, "the requests are not for the batch's endpoint")
                return
            items = [(item["custom_id"], item["body"]) for item in told]
            self._send(batches.submit("openai", items, wanted.get("metadata") or {}, wanted["endpoint"]))

    def _send(self, body: Any, kind: str = "application/json", status: int = 200) -> None:
        late = self.server.batches.late_trouble(self.command, self.path) if status == 200 else None
        content = body if isinstance(body, bytes) else json.dumps(_problem("late") if late else body).encode()
        self.send_response(late or status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    batches: BatchServer


@contextmanager
def batch_server(answer: Answer, polls: int = 2) -> Iterator[BatchServer]:
    """Serve on a free loopback port while the block runs."""
    batches = BatchServer(answer, polls)
    http = _Http(("127.0.0.1", 0), _Handler)
    http.batches = batches
    batches.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield batches
    finally:
        http.shutdown()
        thread.join(10)
        http.server_close()

"""A local server that speaks the batch protocols of OpenAI and Anthropic: files, batches, polling, results, expiry."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.chat_server import Reply

Answer = Callable[[str, dict[str, Any]], Reply | None]


class BatchServer:
    """The running server. `answer` gives each request its reply, None an expired one; `polls` are needed to end."""

    def __init__(self, answer: Answer, polls: int) -> None:
        self.answer, self.polls = answer, polls
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.looks: dict[str, int] = {}
        self.asked: list[str] = []
        self.on_submitted: Callable[[], None] = lambda: None
        self.on_request: Callable[[], None] = lambda: None
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
        ended = self.looks[name] >= self.polls
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
                "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
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
        }

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


class _Handler(BaseHTTPRequestHandler):
    server: "_Http"

    def do_GET(self) -> None:
        self.server.batches.on_request()
        parts = self.path.split("?")[0].strip("/").split("/")
        batches = self.server.batches
        if parts[-1] == "results" or parts[-1] == "content":
            name = parts[-2].removeprefix("out-")
            self._send(batches.results(name), "application/x-jsonl")
        elif parts[-1] == "batches":
            protocol = "anthropic" if "messages" in parts else "openai"
            shown = [batches.show(n) for n, b in reversed(batches.batches.items()) if b["protocol"] == protocol]
            self._send({"object": "list", "data": shown, "has_more": False, "first_id": None, "last_id": None})
        else:
            self._send(batches.show(parts[-1], look=True))

    def do_POST(self) -> None:
        self.server.batches.on_request()
        body = self.rfile.read(int(self.headers["content-length"]))
        batches = self.server.batches
        if self.path.endswith("/files"):
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

    def _send(self, body: Any, kind: str = "application/json") -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(200)
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

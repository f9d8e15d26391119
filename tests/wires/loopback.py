"""A provider on this machine: it answers each request with the next of its answers and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Provider(ThreadingHTTPServer):
    """Answers are streams of events: pairs of an event's name, or "", and its data."""

    def __init__(self, answers: list[bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.bodies = answers, list[bytes]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


def stream(events: Iterable[tuple[str, Any]]) -> bytes:
    """Events as they go over the wire; text data goes as it is."""
    said = ""
    for name, data in events:
        said += f"event: {name}\n" if name else ""
        said += f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
    return said.encode()


@contextmanager
def provider(answers: list[bytes]) -> Iterator[Provider]:
    with Provider(answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = b""
        if "chunked" in self.headers.get("transfer-encoding", ""):
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["content-length"]))
        self.server.bodies.append(body)
        answer = self.server.answers[len(self.server.bodies) - 1]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

"""A provider of models on this machine: it answers in turn, or never, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """An HTTP answer; `hangs` sends the head and then nothing more."""

    body: Any = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    hangs: bool = False

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Server(ThreadingHTTPServer):
    """The last of its answers is given again and again."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.asked, self.connections, self.done = list(answers), list[Asked](), set[Any](), Event()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"


@contextmanager
def serving(*answers: Answer) -> Iterator[Server]:
    with Server(answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.done.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"  # connections stay open, as those of providers do

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.connections.add(self.client_address)
        self.server.asked.append(Asked(self.path, headers, body))
        answer = self.server.answers[min(len(self.server.asked), len(self.server.answers)) - 1]
        self.send_response(answer.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer.data)))
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        if answer.hangs:
            self.server.done.wait(30)
            self.close_connection = True
        else:
            self.wfile.write(answer.data)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

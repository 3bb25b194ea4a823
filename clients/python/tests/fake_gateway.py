"""A gateway for tests: a real HTTP server that knows repeated signatures.

A test asks for faults. Each fault happens to one request. The clock of the tests never waits.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from kurir import Clock, Kurir

API_KEY = "kk_test_fixture"
API_SECRET = "ks_test_fixture_secret_never_shown"

LOST_BEFORE = "lost-before-acceptance"
LOST_AFTER = "lost-after-acceptance"
SILENCE = "silence"


@dataclass
class Received:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)


def refusal(status: int, code: str, **headers: str) -> Reply:
    body = {"success": False, "code": code, "error": "Try something else."}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(body), {"Content-Type": "application/json", **sent})


def success(data: Any) -> Reply:
    body = json.dumps({"success": True, "message": "Done", "data": data})
    return Reply(200, body, {"Content-Type": "application/json"})


class FakeClock(Clock):
    """Sleeps by moving the time."""

    def __init__(self) -> None:
        self.time = time.time()
        self.slept: list[float] = []
        self.chance = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

    def random(self) -> float:
        return self.chance


class FakeGateway:
    """Answers each request with ``answer(received)``. Without one, it answers ``{"job_id": …}``."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.accepted: list[Received] = []
        self.faults: list[Any] = []
        self.answer: Callable[[Received], Any] = self._job
        self._first_answers: dict[str, Reply] = {}
        self._ended = threading.Event()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(length)
                gateway._handle(self, Received(self.command, self.path, headers, body))

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_args: Any) -> None:
                """Print no line for each request."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fail(self, *faults: Any) -> None:
        self.faults.extend(faults)

    def header(self, name: str) -> list[str | None]:
        """Return this header of each request."""
        return [one.headers.get(name) for one in self.received]

    def _job(self, _received: Received) -> Any:
        return {"job_id": f"msg_{len(self.accepted)}"}

    def _handle(self, handler: BaseHTTPRequestHandler, received: Received) -> None:
        self.received.append(received)
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Reply):
            return _write(handler, fault)
        if fault == SILENCE:
            self._ended.wait(30)
            handler.close_connection = True
            return None
        reply = None if fault == LOST_BEFORE else self._accept(received)
        return _reset(handler) if reply is None or fault == LOST_AFTER else _write(handler, reply)

    def _accept(self, received: Received) -> Reply:
        """Return the first answer again if the signature is known."""
        signature = received.headers["x-signature"]
        if signature not in self._first_answers:
            self.accepted.append(received)
            answer = self.answer(received)
            self._first_answers[signature] = (
                answer if isinstance(answer, Reply) else success(answer)
            )
        return self._first_answers[signature]


def _write(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    body = reply.text.encode()
    handler.send_response(reply.status)
    for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    handler.wfile.write(body)
    handler.close_connection = True


def _reset(handler: BaseHTTPRequestHandler) -> None:
    """Break the connection, as a program that is killed does it."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def client(gateway: FakeGateway, clock: Clock, **options: Any) -> Kurir:
    return Kurir(gateway.base_url, API_KEY, API_SECRET, "dev_1", clock=clock, **options)

"""Devices, and a server of devices that answers or fails as a test says."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from unittest.mock import patch

from winnow_client.objects import Metadata, Objects, connect, resource


@dataclass
class Port:
    name: str
    number: int | None = None


@dataclass
class Spec:
    model: str
    state: Literal["active", "retired"] = "active"
    serial_number: str | None = None
    snake_case: str | None = field(default=None, metadata={"json": "snake_case"})
    ports: list[Port] = field(default_factory=list)
    limits: dict[str, int | str] = field(default_factory=dict)
    seen: datetime | None = None
    share: float | None = None


@resource("fleet.example/v1", "Device", "devices")
@dataclass
class Device:
    metadata: Metadata
    spec: Spec


def device(name: str, version: int, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-of-{name}", "resourceVersion": str(version)}
    return {
        "apiVersion": "fleet.example/v1",
        "kind": "Device",
        "metadata": metadata,
        "spec": {"model": "x2", "state": "active", **spec},
    }


def status(code: int, reason: str, message: str = "no", **details: Any) -> dict[str, Any]:
    return {"kind": "Status", "code": code, "reason": reason, "message": message, "details": details}


def page(version: int, *items: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "DeviceList", "metadata": {"resourceVersion": str(version)}, "items": list(items)}


def event(kind: str, thing: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "object": thing}


class Connection:
    """One request as a test sees it, and the ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: Any) -> None:
        self.method, self.target, self.headers, self.body = handler.command, handler.path, handler.headers, body
        self.port: int = handler.client_address[1]
        self._handler = handler

    def answer(self, code: int, body: dict[str, Any], **headers: str) -> None:
        text = json.dumps(body).encode()
        self._handler.send_response(code)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"content-type": "application/json", "content-length": str(len(text)), **given}.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()
        self._handler.wfile.write(text)

    def cut(self, code: int = 200, text: bytes = b'{"kind"') -> None:
        """Begins an answer that is longer than what comes."""
        self._handler.send_response(code)
        self._handler.send_header("content-length", "1000")
        self._handler.end_headers()
        self._handler.wfile.write(text)
        self.drop()

    def drop(self) -> None:
        """Closes the connection without an answer, or in the middle of one."""
        self._handler.close_connection = True

    def watch(self, *events: dict[str, Any], ending: str = "", is_cut: bool = False, is_chunked: bool = True) -> None:
        """A watch that ends after some events, and after a text that is no whole line. is_cut: between two chunks."""
        self._handler.send_response(200)
        if is_chunked:
            self._handler.send_header("transfer-encoding", "chunked")
        self._handler.end_headers()
        for text in [*(f"{json.dumps(one)}\n" for one in events), ending]:
            if text:
                self.send(f"{len(text.encode()):x}\r\n{text}\r\n" if is_chunked else text)
        if is_chunked and not is_cut:
            self.send("0\r\n\r\n")
        self.drop()

    def send(self, text: str) -> None:
        self._handler.wfile.write(text.encode())

    def wait(self) -> None:
        """Waits until the client closes the connection."""
        with suppress(OSError):
            self._handler.rfile.read()
        self.drop()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client may leave before its answer."""


Answer = Callable[[Connection], None]


@contextmanager
def short_pauses() -> Iterator[None]:
    with ExitStack() as stack:
        for module in ("transport", "live", "collection"):
            stack.enter_context(patch(f"winnow_client.objects.{module}._FIRST_PAUSE", 0.01))
        yield


@contextmanager
def serving(*answers: Answer, **options: Any) -> Iterator[tuple[Objects[Device], list[Connection]]]:
    """Devices of a server that answers the requests one after the other, and the list of the requests. The last answer is
    repeated."""
    seen: list[Connection] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            connection = Connection(self, body)
            with lock:
                number = len(seen)
                seen.append(connection)
            answers[min(number, len(answers) - 1)](connection)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _do

        def log_message(self, *_: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    winnow = connect(f"http://127.0.0.1:{server.server_port}", **options)
    try:
        with short_pauses():
            yield winnow.objects(Device, "default"), seen
    finally:
        winnow.close()
        server.shutdown()
        server.server_close()
        thread.join()


def ok(body: dict[str, Any]) -> Answer:
    return lambda connection: connection.answer(200, body)


def refused(code: int, reason: str, message: str = "no", headers: dict[str, str] | None = None, **details: Any) -> Answer:
    return lambda connection: connection.answer(code, status(code, reason, message, **details), **(headers or {}))


def following(connection: Connection) -> None:
    """A watch that brings nothing until the client closes it."""
    connection.watch(is_cut=True)
    connection.wait()


def dropped(connection: Connection) -> None:
    connection.drop()


@contextmanager
def talking(talk: Callable[[socket.socket], object]) -> Iterator[int]:
    """The port of a TCP server that leaves each connection to a function, in a thread of its own."""
    listener = socket.create_server(("127.0.0.1", 0))

    def run(client: socket.socket) -> None:
        with client, suppress(OSError):
            talk(client)

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=run, args=(client,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


NOW = {"retry_after": "0"}
CAM = Device(Metadata("cam"), Spec("x2"))

"""The sockets of the client. Each wait on one has an end."""

from __future__ import annotations

import io
import socket
import ssl
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

SecondsLeft = Callable[[], float]
"""Returns the longest time for the next wait, in s. Raises TimeoutError if there is none left."""


class Stop:
    """Ends the requests that it belongs to, and their pauses. Any thread may call `set`."""

    def __init__(self) -> None:
        self._is_set, self._lock = threading.Event(), threading.RLock()
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def set(self) -> None:
        with self._lock:
            self._is_set.set()
            for used in self._sockets:
                with suppress(OSError):
                    # Past the TLS layer, which another thread may be using.
                    socket.socket.shutdown(used, socket.SHUT_RDWR)

    def is_set(self) -> bool:
        return self._is_set.is_set()

    def wait(self, seconds: float) -> None:
        """A pause."""
        self._is_set.wait(seconds)

    def guard(self, used: socket.socket) -> None:
        """Adds a socket that the request waits for. Raises OSError: the request was stopped."""
        with self._lock:
            self._sockets.add(used)
            if self._is_set.is_set():
                raise OSError("the request was stopped")

    def release(self, used: socket.socket) -> None:
        """Removes a socket that another request may use now."""
        with self._lock:
            self._sockets.discard(used)


class Wire:
    """A connected socket, as `http.client` uses it.

    is_sent: whether a byte of the present request was sent.
    """

    def __init__(self, connected: socket.socket, seconds_left: SecondsLeft) -> None:
        self.socket, self.seconds_left, self.is_sent = connected, seconds_left, False

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self.socket.settimeout(self.seconds_left())
            self.is_sent = True
            rest = rest[self.socket.send(rest) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self))

    def has_news(self) -> bool:
        """Whether there is something to read, or the other side has closed."""
        self.socket.settimeout(0)
        try:
            socket.socket.recv(self.socket, 1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def close(self) -> None:
        self.socket.close()


class _Reader(io.RawIOBase):
    """The bytes of a wire. A server that sends byte after byte does not extend the time."""

    def __init__(self, wire: Wire) -> None:
        self._wire, self._file = wire, wire.socket.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._wire.socket.settimeout(self._wire.seconds_left())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


def open_wire(host: str, port: int, context: ssl.SSLContext | None, seconds_left: SecondsLeft, stop: Stop) -> Wire:
    """Connects to the first address of the host that answers."""
    connected = _connect(host, port, seconds_left, stop)
    try:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            connected = secure = context.wrap_socket(connected, server_hostname=host, do_handshake_on_connect=False)
            stop.guard(secure)
            secure.settimeout(seconds_left())
            secure.do_handshake()
    except BaseException:
        connected.close()
        raise
    return Wire(connected, seconds_left)


def _connect(host: str, port: int, seconds_left: SecondsLeft, stop: Stop) -> socket.socket:
    failure = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        tried = socket.socket(family, kind, protocol)
        try:
            stop.guard(tried)
            tried.settimeout(seconds_left())
            tried.connect(address)
            return tried
        except OSError as error:
            failure = error
            tried.close()
    raise failure

"""The connection to one Winnow: connections, deadlines and repetitions."""

from __future__ import annotations

import http.client
import json
import os
import random
import ssl
import time
import urllib.parse
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .address import Address, TokenError
from .errors import OutcomeUnknownError, UnauthorizedError, UnavailableError, WinnowError, error_of, final_error
from .events import Events
from .wire import Stop, Wire, open_wire

Result = TypeVar("Result")

_MOST_BREAKS = 4
"""The most repetitions after broken connections, so that a missing server is reported within seconds."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0
_MOST_IDLE = 8
"""The most connections that stay open for later requests."""


class _Connection(http.client.HTTPConnection):
    """An open connection to a host."""

    def __init__(self, address: Address, wire: Wire) -> None:
        super().__init__(address.host, address.port)
        # The header `host` has no default port.
        self.default_port = http.client.HTTPS_PORT if address.is_secure else http.client.HTTP_PORT
        self.wire = self.sock = wire


@dataclass(frozen=True)
class Request:
    """path: below the URL, with the names in it encoded. body: sent as JSON.

    is_repeatable: whether a repetition does no harm after the answer was lost. stop: ends the request.
    """

    method: str
    path: str
    query: Mapping[str, str | None] = field(default_factory=dict)
    body: Any = None
    content_type: str = "application/json"
    is_repeatable: bool = False
    stop: Stop = field(default_factory=Stop)

    @property
    def title(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def target(self) -> str:
        query = urllib.parse.urlencode({name: value for name, value in self.query.items() if value})
        return f"{self.path}?{query}" if query else self.path


@dataclass(frozen=True)
class _Attempt:
    """One try of a request, which ends at `end` of the monotonic clock."""

    request: Request
    body: bytes | None
    audit_id: str
    authorization: str | None
    lost_answers: int
    end: float

    def seconds_left(self) -> float:
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


@dataclass(frozen=True)
class _Answer:
    """A successful answer whose body is not read yet."""

    connection: _Connection
    response: http.client.HTTPResponse


@dataclass(frozen=True)
class _Failure:
    """An attempt that did not succeed.

    kind: `answered` by an error of the server; `broken`, so there is no whole answer; `unsent`, so the server did not get
    the request. after: the pause in s that the server asks for.
    """

    error: WinnowError
    kind: str
    after: float | None = None


class Transport:
    """Sends requests to one Winnow. Several threads may use it."""

    def __init__(self, address: Address, deadline: float, manager: str, context: ssl.SSLContext | None) -> None:
        self._address, self._deadline, self.manager = address, deadline, manager
        self._context = (context or ssl.create_default_context()) if address.is_secure else None
        # Operations of a deque are atomic. A lock could be held by another thread when the process forks.
        self._idle: deque[_Connection] = deque()
        self._process = os.getpid()

    def send(self, request: Request) -> Any:
        """Returns the JSON of the answer. Raises WinnowError; the class says why."""

        def read(attempt: _Attempt, answer: _Answer) -> Any:
            kind = answer.response.headers.get("content-type", "application/json")
            text = answer.response.read()
            self._keep(attempt, answer)
            if "json" not in kind:
                raise ValueError(f"the answer is {kind} and no JSON: is this the URL of Winnow?")
            return json.loads(text)

        return self._repeat(request, read)

    def watch(self, request: Request, silence: float) -> Events:
        """Opens a watch. silence: the longest time without a byte, in s."""

        def read(attempt: _Attempt, answer: _Answer) -> Events:
            return Events(request.title, answer.response, answer.connection.wire, silence, request.stop, attempt.audit_id)

        return self._repeat(request, read)

    def close(self) -> None:
        """Closes the connections that are idle."""
        idle = self._pool()
        while idle:
            with suppress(IndexError):
                idle.pop().close()

    def _repeat(self, request: Request, read: Callable[[_Attempt, _Answer], Result]) -> Result:
        """Sends a request until it succeeds, fails for good, or the deadline passes."""
        end = time.monotonic() + self._deadline
        audit_id = str(uuid.uuid4())
        # Before anything is sent: a value that JSON does not have is an error of the caller.
        body = None if request.body is None else json.dumps(request.body, separators=(",", ":"), allow_nan=False).encode()
        authorization, is_renewed = self._authorization(request, audit_id), False
        tries = breaks = lost_answers = 0
        while True:
            attempt = _Attempt(request, body, audit_id, authorization, lost_answers, end)
            outcome = self._try(attempt, read)
            if not isinstance(outcome, _Failure):
                return outcome
            error = outcome.error
            if isinstance(error, UnauthorizedError) and authorization is not None and not is_renewed:
                is_renewed, refused = True, authorization
                authorization = self._authorization(request, audit_id, refused.removeprefix("Bearer "))
                if authorization == refused:
                    raise error
                continue
            breaks += outcome.kind != "answered"
            if not _is_worth_repeating(outcome, request) or breaks > _MOST_BREAKS:
                raise final_error(error, lost_answers)
            lost_answers += isinstance(error, OutcomeUnknownError)
            # Clients that were refused together come back one after the other.
            pause = (outcome.after or 0) + random.random() * min(_FIRST_PAUSE * 2**tries, _LONGEST_PAUSE)
            if time.monotonic() + pause >= end:
                raise final_error(error, lost_answers)
            request.stop.wait(pause)
            if request.stop.is_set():
                raise final_error(error, lost_answers)
            tries += 1

    def _authorization(self, request: Request, audit_id: str, refused: str | None = None) -> str | None:
        try:
            return self._address.authorization(refused)
        except TokenError as error:
            raise UnavailableError(f"{request.title}: {error}", audit_id=audit_id) from error.__cause__

    def _try(self, attempt: _Attempt, read: Callable[[_Attempt, _Answer], Result]) -> Result | _Failure:
        request, connection, answer = attempt.request, None, None
        try:
            connection = self._connect(attempt)
            answer = self._exchange(attempt, connection)
            if answer.response.status < 300:
                return read(attempt, answer)
            error = error_of(
                request.title,
                answer.response.status,
                answer.response.read().decode(errors="replace"),
                audit_id=attempt.audit_id,
                writes=request.method != "GET",
                lost_answers=attempt.lost_answers,
            )
            after = _seconds_of(answer.response.headers.get("retry-after"))
            self._keep(attempt, answer)
            return _Failure(error, "answered", after)
        except (OSError, http.client.HTTPException, ValueError) as cause:
            is_sent = connection is not None and connection.wire.is_sent
            if answer is not None:
                answer.response.close()
            if connection is not None:
                connection.wire.close()
            if not is_sent and not isinstance(cause, OSError):
                raise  # such as a path that HTTP cannot carry
            kind = OutcomeUnknownError if is_sent and request.method != "GET" else UnavailableError
            message = f"{request.title}: {self._address.base} {_what_failed(cause)}"
            broken = kind(message, audit_id=attempt.audit_id, lost_answers=attempt.lost_answers)
            broken.__cause__ = cause
            return _Failure(broken, "broken" if is_sent else "unsent")

    def _connect(self, attempt: _Attempt) -> _Connection:
        """An open connection: an idle one, if the server has not closed it."""
        address, idle = self._address, self._pool()
        while idle:
            with suppress(IndexError):
                connection = idle.pop()
                # Something to read on an idle connection is its end.
                if not connection.wire.has_news():
                    return connection
                connection.close()
        wire = open_wire(address.host, address.port, self._context, attempt.seconds_left, attempt.request.stop)
        return _Connection(address, wire)

    def _exchange(self, attempt: _Attempt, connection: _Connection) -> _Answer:
        request, wire = attempt.request, connection.wire
        wire.seconds_left, wire.is_sent = attempt.seconds_left, False
        request.stop.guard(wire.socket)
        headers = {"accept": "application/json", "audit-id": attempt.audit_id}
        if attempt.authorization is not None:
            headers["authorization"] = attempt.authorization
        if attempt.body is not None:
            headers["content-type"] = request.content_type
        # A redirect is never followed: the token is for this origin only.
        connection.request(request.method, self._address.prefix + request.target, attempt.body, headers)
        return _Answer(connection, connection.getresponse())

    def _keep(self, attempt: _Attempt, answer: _Answer) -> None:
        """Keeps the connection of an answer that was read, for a later request."""
        attempt.request.stop.release(answer.connection.wire.socket)
        idle = self._pool()
        if answer.response.will_close or len(idle) >= _MOST_IDLE:
            answer.connection.close()
        else:
            idle.append(answer.connection)

    def _pool(self) -> deque[_Connection]:
        """The idle connections of this process. Those of the process that forked it are still in use there."""
        if self._process != os.getpid():
            shared, self._idle, self._process = self._idle, deque(), os.getpid()
            for connection in shared:
                connection.close()
        return self._idle


def _is_worth_repeating(failure: _Failure, request: Request) -> bool:
    """A request that got 429 with a `Retry-After` did nothing. A state that the server does not have will not come."""
    code, after = failure.error.code, failure.after
    if failure.error.is_ahead or isinstance(failure.error.__cause__, ssl.SSLCertVerificationError):
        return False
    if failure.kind == "unsent" or (code == 429 and after is not None):
        return True
    if not (request.is_repeatable or request.method == "GET"):
        return False
    return failure.kind == "broken" or code in (429, 503) or (code == 504 and after is not None)


def _seconds_of(header: str | None) -> float | None:
    try:
        return None if header is None else max(0.0, float(header))
    except ValueError:
        return None


def _what_failed(cause: Exception) -> str:
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"has a certificate that is not trusted: {cause.verify_message}; give its authority with context="
    return f"gave no whole answer: {cause or type(cause).__name__}"

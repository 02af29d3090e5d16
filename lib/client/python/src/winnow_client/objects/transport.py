"""The connection to one Winnow: connections, deadlines and repetitions."""

from __future__ import annotations

import http.client
import json
import random
import select
import socket
import ssl
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .address import Address
from .errors import OutcomeUnknownError, UnauthorizedError, UnavailableError, WinnowError, error_of, final_error

Result = TypeVar("Result")

_MOST_BREAKS = 4
"""The most repetitions after broken connections, so that a missing server is reported within seconds."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0
_MOST_IDLE = 8
"""The most connections that stay open for later requests."""
_PIECE = 64 * 1024


@dataclass(frozen=True)
class Request:
    """path: below the URL, with the names in it encoded. body: sent as JSON.

    is_repeatable: whether a repetition does no harm after the answer was lost.
    """

    method: str
    path: str
    query: Mapping[str, str | None] = field(default_factory=dict)
    body: Any = None
    content_type: str = "application/json"
    is_repeatable: bool = False

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
    audit_id: str
    authorization: str | None
    lost_answers: int
    end: float

    @property
    def seconds_left(self) -> float:
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return left


@dataclass(frozen=True)
class _Answer:
    """A successful answer whose body is not read yet. `socket` ends a read by another thread when it is shut down."""

    connection: http.client.HTTPConnection
    socket: socket.socket
    response: http.client.HTTPResponse
    audit_id: str


@dataclass(frozen=True)
class _Failure:
    """An attempt that did not succeed.

    kind: `answered` by an error of the server; `broken`, so there is no whole answer; `unsent`, so the server did not get
    the request. after: the pause in s that the server asks for.
    """

    error: WinnowError
    kind: str
    after: float | None = None


class Events:
    """The events of one watch, as they arrive: each has `type` and `object`."""

    def __init__(self, title: str, answer: _Answer, silence: float) -> None:
        self._title, self._answer, self._silence, self._is_closed = title, answer, silence, False
        self.is_heard = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Ends when the server ends the watch, or after `close`.

        Raises UnavailableError: the connection broke; ExpiredError: the resourceVersion is older than the journal.
        """
        response = self._answer.response
        try:
            self._answer.socket.settimeout(self._silence)
            while line := response.readline():
                if not line.endswith(b"\n"):
                    raise ValueError("the answer ended inside an event")
                # An empty line is a sign of life.
                if not line.strip():
                    continue
                self.is_heard = True
                event = json.loads(line)
                if event["type"] == "ERROR":
                    status = event["object"]
                    raise error_of(
                        self._title,
                        status.get("code", 500),
                        json.dumps(status),
                        audit_id=self._answer.audit_id,
                        writes=False,
                    )
                yield event
        except (OSError, http.client.HTTPException, ValueError) as error:
            if self._is_closed:
                return
            reason = f"no byte came for {self._silence:g} s" if isinstance(error, TimeoutError) else str(error)
            message = f"{self._title}: the watch broke: {reason}"
            raise UnavailableError(message, audit_id=self._answer.audit_id) from error
        finally:
            self.close()
            response.close()
            self._answer.connection.close()

    def close(self) -> None:
        """Ends the answer. Any thread may call it."""
        self._is_closed = True
        with suppress(OSError):
            self._answer.socket.shutdown(socket.SHUT_RDWR)


class Transport:
    """Sends requests to one Winnow. Several threads may use it."""

    def __init__(self, address: Address, deadline: float, manager: str, context: ssl.SSLContext | None) -> None:
        self._address, self._deadline, self.manager = address, deadline, manager
        self._context = (context or ssl.create_default_context()) if address.is_secure else None
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def send(self, request: Request) -> Any:
        """Returns the JSON of the answer. Raises WinnowError; the class says why."""

        def read(attempt: _Attempt, answer: _Answer) -> Any:
            kind = answer.response.headers.get("content-type", "application/json")
            text = _read_all(attempt, answer)
            self._keep(answer)
            if "json" not in kind:
                raise ValueError(f"the answer is {kind} and no JSON: is this the URL of Winnow?")
            return json.loads(text)

        return self._repeat(request, read)

    def watch(self, request: Request, silence: float) -> Events:
        """Opens a watch. silence: the longest time without a byte, in s."""
        return self._repeat(request, lambda _attempt, answer: Events(request.title, answer, silence))

    def close(self) -> None:
        """Closes the connections that are idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _repeat(self, request: Request, read: Callable[[_Attempt, _Answer], Result]) -> Result:
        """Sends a request until it succeeds, fails for good, or the deadline passes."""
        end = time.monotonic() + self._deadline
        audit_id = str(uuid.uuid4())
        authorization, is_renewed = self._address.authorization(), False
        tries = breaks = lost_answers = 0
        while True:
            attempt = _Attempt(request, audit_id, authorization, lost_answers, end)
            outcome = self._try(attempt, read)
            if not isinstance(outcome, _Failure):
                return outcome
            error = outcome.error
            if isinstance(error, UnauthorizedError) and authorization is not None and not is_renewed:
                is_renewed, refused = True, authorization
                authorization = self._address.authorization(refused.removeprefix("Bearer "))
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
            time.sleep(pause)
            tries += 1

    def _try(self, attempt: _Attempt, read: Callable[[_Attempt, _Answer], Result]) -> Result | _Failure:
        request, is_sent, connection = attempt.request, False, None
        try:
            connection = self._connect(attempt)
            is_sent = True
            answer = self._exchange(attempt, connection)
            if answer.response.status < 300:
                return read(attempt, answer)
            error = error_of(
                request.title,
                answer.response.status,
                _read_all(attempt, answer).decode(errors="replace"),
                audit_id=attempt.audit_id,
                writes=request.method != "GET",
                lost_answers=attempt.lost_answers,
            )
            after = _seconds_of(answer.response.headers.get("retry-after"))
            self._keep(answer)
            return _Failure(error, "answered", after)
        except (OSError, http.client.HTTPException, ValueError) as cause:
            if connection is not None:
                connection.close()
            kind = OutcomeUnknownError if is_sent and request.method != "GET" else UnavailableError
            message = f"{request.title}: {self._address.base} gave no whole answer: {cause or type(cause).__name__}"
            broken = kind(message, audit_id=attempt.audit_id, lost_answers=attempt.lost_answers)
            broken.__cause__ = cause
            return _Failure(broken, "broken" if is_sent else "unsent")

    def _connect(self, attempt: _Attempt) -> http.client.HTTPConnection:
        """An open connection: an idle one, if the server has not closed it."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                break
            # Something to read on an idle connection is its end.
            if connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]:
                return connection
            connection.close()
        host, port, seconds = self._address.host, self._address.port, attempt.seconds_left
        if self._context is None:
            connection = http.client.HTTPConnection(host, port, timeout=seconds)
        else:
            connection = http.client.HTTPSConnection(host, port, timeout=seconds, context=self._context)
        connection.connect()
        return connection

    def _exchange(self, attempt: _Attempt, connection: http.client.HTTPConnection) -> _Answer:
        request, given = attempt.request, connection.sock
        given.settimeout(attempt.seconds_left)
        headers = {"accept": "application/json", "audit-id": attempt.audit_id}
        if attempt.authorization is not None:
            headers["authorization"] = attempt.authorization
        body = None
        if request.body is not None:
            headers["content-type"] = request.content_type
            body = json.dumps(request.body, separators=(",", ":")).encode()
        # A redirect is never followed: the token is for this origin only.
        connection.request(request.method, self._address.prefix + request.target, body, headers)
        return _Answer(connection, given, connection.getresponse(), attempt.audit_id)

    def _keep(self, answer: _Answer) -> None:
        """Keeps the connection of an answer that was read, for a later request."""
        with self._lock:
            if not answer.response.will_close and len(self._idle) < _MOST_IDLE:
                self._idle.append(answer.connection)
                return
        answer.connection.close()


def _read_all(attempt: _Attempt, answer: _Answer) -> bytes:
    """The body of an answer, if it is whole before the deadline."""
    pieces = []
    while True:
        answer.socket.settimeout(attempt.seconds_left)
        piece = answer.response.read(_PIECE)
        if not piece:
            break
        pieces.append(piece)
    # A read with a size does not notice a cut answer.
    if answer.response.length:
        raise http.client.IncompleteRead(b"".join(pieces), answer.response.length)
    return b"".join(pieces)


def _is_worth_repeating(failure: _Failure, request: Request) -> bool:
    """A request that got 429 with a `Retry-After` did nothing. A state that the server does not have will not come."""
    code, after = failure.error.code, failure.after
    if failure.error.is_ahead:
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

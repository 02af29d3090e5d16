"""The events of one watch."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

from .errors import UnavailableError, error_of
from .wire import Stop, Wire

_PIECE = 64 * 1024


class Events:
    """The events of one watch, as they arrive: each has `type` and `object`.

    is_heard: whether a byte arrived. is_whole: whether the server ended the watch, so the connection was not cut.
    """

    def __init__(
        self, title: str, response: http.client.HTTPResponse, wire: Wire, silence: float, stop: Stop, audit_id: str
    ):
        """title: of the request. silence: the longest time without a byte, in s. stop: ends the watch."""
        self._title, self._response, self._wire, self._silence = title, response, wire, silence
        self._stop, self._audit_id = stop, audit_id
        self.is_heard = self.is_whole = self._is_begun = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Ends when the server ends the watch, or after `close`.

        Raises UnavailableError: the connection broke; ExpiredError: the resourceVersion is older than the journal.
        """
        self._is_begun = True
        self._wire.seconds_left = lambda: self._silence
        try:
            for line in self._lines():
                if self._stop.is_set():
                    return
                event = json.loads(line)
                if event["type"] == "ERROR":
                    status = event["object"]
                    code, text = status.get("code", 500), json.dumps(status)
                    raise error_of(self._title, code, text, audit_id=self._audit_id, writes=False)
                yield event
        except (OSError, http.client.HTTPException, ValueError) as error:
            if self._stop.is_set():
                return
            reason = f"no byte came for {self._silence:g} s" if isinstance(error, TimeoutError) else str(error)
            message = f"{self._title}: the watch broke: {reason}"
            raise UnavailableError(message, audit_id=self._audit_id) from error
        finally:
            self.release()

    def close(self) -> None:
        """Ends the watch. Any thread may call it."""
        self._stop.set()
        if not self._is_begun:
            self.release()

    def _lines(self) -> Iterator[bytes]:
        rest = b""
        # This read reports a cut between two chunks; `readline` does not.
        while piece := self._response.read1(_PIECE):
            self.is_heard = True
            *lines, rest = (rest + piece).split(b"\n")
            # An empty line is a sign of life.
            yield from (line for line in lines if line.strip())
        if rest.strip() or self._response.length:
            raise ValueError("the answer ended inside an event")
        # Without chunks and length, a cut looks like an end.
        self.is_whole = self._response.chunked or self._response.length == 0

    def release(self) -> None:
        """Closes the connection. The thread that iterates calls it."""
        self._wire.close()
        self._response.close()

"""The errors of requests: one class for each frequent reason of a Kubernetes `Status`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


class WinnowError(Exception):
    """A request that failed.

    code: the HTTP status of the answer; 0 without an answer.
    reason: the reason in the Status, such as `NotFound`; empty without a Status.
    status: the Status; None if the answer had none.
    audit_id: the id of the request, which the client chose. The audit log and the history of the object have it.
    lost_answers: the number of earlier attempts whose outcome is unknown.
    """

    def __init__(
        self,
        message: str,
        *,
        audit_id: str,
        code: int = 0,
        status: Mapping[str, Any] | None = None,
        lost_answers: int = 0,
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.audit_id, self.lost_answers = code, status, audit_id, lost_answers
        self.reason: str = str((status or {}).get("reason", ""))

    @property
    def causes(self) -> Sequence[Mapping[str, str]]:
        """The single faults, each with `field`, `reason` and `message`."""
        return ((self.status or {}).get("details") or {}).get("causes") or []

    @property
    def is_ahead(self) -> bool:
        """Whether the request names a resourceVersion that the server does not have. It has lost its data, or is another."""
        return any(cause.get("reason") == "ResourceVersionTooLarge" for cause in self.causes)


class UnauthorizedError(WinnowError):
    """401: the token is missing, invalid or expired."""


class ForbiddenError(WinnowError):
    """403: no role allows the request."""


class NotFoundError(WinnowError):
    """404: there is no such object or resource type."""


class AlreadyExistsError(WinnowError):
    """409: an object of this name exists."""


class ConflictError(WinnowError):
    """409: another writer changed the object in the meantime, or another manager owns a field."""


class ExpiredError(WinnowError):
    """410: the resourceVersion or the page token is older than the journal."""


class InvalidError(WinnowError):
    """422: the server refused the object. `causes` names the fields."""


class TooManyRequestsError(WinnowError):
    """429: too many requests, also after the repetitions."""


class UnavailableError(WinnowError):
    """The server or the network failed, or the answer was cut. If the request was a write, it was not applied."""


class OutcomeUnknownError(WinnowError):
    """The answer to a write is lost, so the write may have been applied. Read the object before you repeat the write."""


_BY_REASON: Mapping[str, type[WinnowError]] = {
    "Unauthorized": UnauthorizedError,
    "Forbidden": ForbiddenError,
    "NotFound": NotFoundError,
    "AlreadyExists": AlreadyExistsError,
    "Conflict": ConflictError,
    "Expired": ExpiredError,
    "Gone": ExpiredError,
    "Invalid": InvalidError,
    "TooManyRequests": TooManyRequestsError,
    "ServiceUnavailable": UnavailableError,
    "Timeout": UnavailableError,
}
# Answers without a Status come from a proxy.
_BY_CODE: Mapping[int, type[WinnowError]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    410: ExpiredError,
    429: TooManyRequestsError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}
_WITHOUT_STATUS = {
    404: "the server has no resource of this api_version and plural; is it defined, and is this the URL of Winnow?"
}


def error_of(request: str, code: int, body: str, *, audit_id: str, writes: bool, lost_answers: int = 0) -> WinnowError:
    """Returns the error of an answer that reports one, in the class of its reason.

    request: the method and the path. body: the text of the answer. writes: whether the request was a write.
    """
    status = _status_of(body)
    message = f"{request}: {(status or {}).get('message') or _WITHOUT_STATUS.get(code) or f'HTTP status {code}'}"
    kind = _BY_REASON.get(str((status or {}).get("reason"))) or _BY_CODE.get(code, WinnowError)
    # A Status of Winnow says so if the write may have been applied. A proxy does not know.
    if writes and code >= 500 and (status is None or "may have been applied" in str(status.get("message"))):
        kind = OutcomeUnknownError
    return kind(message, audit_id=audit_id, code=code, status=status, lost_answers=lost_answers)


def final_error(error: WinnowError, lost_answers: int) -> WinnowError:
    """Returns the error of a request whose last attempt failed. An earlier attempt may have been applied."""
    if lost_answers == 0 or not isinstance(error, (UnavailableError, TooManyRequestsError)):
        return error
    return OutcomeUnknownError(
        str(error), audit_id=error.audit_id, code=error.code, status=error.status, lost_answers=lost_answers
    )


def _status_of(body: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.get("kind") == "Status" else None

"""Typed reads, writes and live sets of the objects of a Winnow."""

from __future__ import annotations

import ssl

from .address import Address, Token
from .codec import UnexpectedValueError
from .collection import Event, Objects, Target, Watch
from .errors import (
    AlreadyExistsError,
    ConflictError,
    ExpiredError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    OutcomeUnknownError,
    TooManyRequestsError,
    UnauthorizedError,
    UnavailableError,
    WinnowError,
)
from .live import LiveSet
from .resource import Kind, Metadata, Model, OwnerReference, Resource, resource
from .selector import ABSENT, EXISTS, Condition, LabelSelector, without
from .transport import Transport


class Winnow:
    """The connection that `connect` returns. Several threads may use it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def objects(self, model: type[Model], namespace: str | None = None) -> Objects[Model]:
        """The objects of the class, which `resource` decorates: in one namespace, or in all."""
        return Objects(self._transport, model, namespace)

    def close(self) -> None:
        """Closes the connections that are idle. A later request opens new ones."""
        self._transport.close()


def connect(
    url: str | None = None,
    *,
    token: Token | None = None,
    deadline: float = 30,
    manager: str = "winnow-client",
    context: ssl.SSLContext | None = None,
) -> Winnow:
    """Returns a connection to the Winnow at a URL. It sends nothing yet.

    url: by default WINNOW_URL, then with the token in WINNOW_TOKEN. token: or a function that returns it; it is called with
    the refused token after a 401. deadline: the s of a request with its repetitions. manager: the name of this program as
    an owner of fields. context: trusts a private certificate authority: `ssl.create_default_context(cafile=...)`.
    Raises ValueError: there is no usable URL, or a token would travel without encryption.
    """
    return Winnow(Transport(Address(url, token), deadline, manager, context))


__all__ = [
    "ABSENT",
    "EXISTS",
    "AlreadyExistsError",
    "Condition",
    "ConflictError",
    "Event",
    "ExpiredError",
    "ForbiddenError",
    "InvalidError",
    "Kind",
    "LabelSelector",
    "LiveSet",
    "Metadata",
    "NotFoundError",
    "Objects",
    "OutcomeUnknownError",
    "OwnerReference",
    "Resource",
    "Target",
    "Token",
    "TooManyRequestsError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedValueError",
    "Watch",
    "Winnow",
    "WinnowError",
    "connect",
    "resource",
    "without",
]

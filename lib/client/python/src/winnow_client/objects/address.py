"""The URL of Winnow, and the token for it."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Callable

Token = str | Callable[[str | None], str | None]
"""A token, or a function that returns it. After a 401 the client calls the function once more, with the refused token."""

_LOOPBACK = re.compile(r"localhost|.+\.localhost|127(\.\d+){3}|::1")
_VISIBLE = re.compile(r"[\x21-\x7e]+")
"""What a header and a path can carry."""


class TokenError(Exception):
    """The token function failed; the cause says why."""


class Address:
    """Where requests go, and how they are authenticated. base: the URL without a slash at its end."""

    def __init__(self, url: str | None, token: Token | None) -> None:
        """Raises ValueError: there is no usable URL, or a token would travel without encryption."""
        environment = os.environ if url is None else {}
        text = url or environment.get("WINNOW_URL")
        if not text:
            raise ValueError("there is no URL: give url, or set WINNOW_URL")
        parts = _read(text)
        self._token = token or environment.get("WINNOW_TOKEN") or None
        if self._token is not None and parts.scheme == "http" and not _LOOPBACK.fullmatch(parts.hostname or ""):
            raise ValueError(f"a token for {parts.hostname} would travel without encryption; use https")
        self.host, self.is_secure = parts.hostname or "", parts.scheme == "https"
        # Without a port, http.client would take one from the end of an IPv6 address.
        self.port = parts.port or (443 if self.is_secure else 80)
        self.prefix = parts.path.rstrip("/")
        self.base = f"{parts.scheme}://{parts.netloc}{self.prefix}"

    def authorization(self, refused: str | None = None) -> str | None:
        """The value of the header `authorization`; None without a login. Raises TokenError."""
        try:
            token = self._token(refused) if callable(self._token) else self._token
        except Exception as error:
            raise TokenError(f"the token function failed: {type(error).__name__}: {error}") from error
        if not token:
            return None
        if not _VISIBLE.fullmatch(token):
            raise ValueError("the token has characters that a header cannot carry")
        return f"Bearer {token}"


def _read(text: str) -> urllib.parse.SplitResult:
    if "@" in text:
        # No message has the text: it may contain a password.
        raise ValueError("the URL has a user or a password; use token (and %40 for an @ in the path)")
    try:
        parts = urllib.parse.urlsplit(text)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or not _VISIBLE.fullmatch(text):
        raise ValueError(f"{text!r} is not an http or https URL")
    return parts

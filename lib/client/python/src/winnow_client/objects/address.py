"""The URL of Winnow, and the token for it."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Callable

Token = str | Callable[[str | None], str | None]
"""A token, or a function that returns it. After a 401 the client calls the function once more, with the refused token."""

_LOOPBACK = re.compile(r"localhost|.+\.localhost|127(\.\d+){3}|::1")
_TOKEN = re.compile(r"[\x21-\x7e]+")


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
        self.host, self.port, self.is_secure = parts.hostname or "", parts.port, parts.scheme == "https"
        self.prefix = parts.path.rstrip("/")
        self.base = f"{parts.scheme}://{parts.netloc}{self.prefix}"

    def authorization(self, refused: str | None = None) -> str | None:
        """The value of the header `authorization`; None without a login."""
        token = self._token(refused) if callable(self._token) else self._token
        if not token:
            return None
        if not _TOKEN.fullmatch(token):
            raise ValueError("the token has characters that a header cannot carry")
        return f"Bearer {token}"


def _read(text: str) -> urllib.parse.SplitResult:
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        # The text may contain a password.
        raise ValueError(f"{'the URL' if '@' in text else repr(text)} is not an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise ValueError(f"the URL of {parts.hostname} has a user or a password; use token")
    return parts

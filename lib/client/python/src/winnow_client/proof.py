"""What messages of a Subscription with `verify: true` prove."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from .message import Proof

GRACE = 60.0
"""How long a gap may stay open: what was sent again, after SQS refused it, closes it. In seconds."""

_MODULUS = 1 << 128


def digest_of(key: str, rv: int) -> int:
    """Of one object: the first 16 bytes of the SHA-256 of `<namespace>/<name>@<resourceVersion>`."""
    return int.from_bytes(hashlib.sha256(f"{key}@{rv}".encode()).digest()[:16], "big")


class UnprovenError(Exception):
    """What came does not prove the set: it has to be listed anew."""


class ProofCheck:
    """Checks that no message is missing, and that the set is the one that the sender has. It knows the set by what it was
    told of, in memory, and begins with an empty one."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._count = 0
        self._digest = 0
        self._up_to = 0
        """Every number up to here came; 0 before the first one."""
        self._ahead: set[int] = set()
        """Numbers that came beyond the gap."""
        self._since = 0.0
        """Since when it is open."""

    def change(self, key: str, before: int | None, after: int | None) -> None:
        """An object of the set has another resourceVersion; None where it is not in it."""
        if before is not None:
            self._digest -= digest_of(key, before)
        if after is not None:
            self._digest += digest_of(key, after)
        self._digest %= _MODULUS
        self._count += (after is not None) - (before is not None)

    def check(self, proof: Proof, is_news: bool) -> None:
        """After a message was taken. `is_news`: it changed the set, which by now is as the message says. Raises
        UnprovenError."""
        sequence = proof.sequence
        if self._up_to == 0:
            self._up_to = sequence - 1
        if sequence <= self._up_to:
            return
        is_highest = all(number <= sequence for number in self._ahead)
        self._note(sequence)
        if self._up_to < sequence:
            self._wait()
        if self._up_to < sequence or not is_highest or not is_news or proof.set is None:
            return
        ours = f"{self._count}/{self._digest:032x}"
        if ours != proof.set:
            raise UnprovenError(f"after message {sequence} the set is {ours}, and not {proof.set}")

    def _note(self, sequence: int) -> None:
        if not self._ahead:
            self._since = self._now()
        self._ahead.add(sequence)
        while self._up_to + 1 in self._ahead:
            self._up_to += 1
            self._ahead.remove(self._up_to)

    def _wait(self) -> None:
        if self._now() - self._since >= GRACE:
            raise UnprovenError(f"message {self._up_to + 1} did not come")

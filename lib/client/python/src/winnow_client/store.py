"""Where a replica is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from .position import Position

REMEMBERED = 14 * 24 * 3600
"""How long what left the set is remembered: as long as SQS keeps a message. In seconds."""


class Version(NamedTuple):
    """How new what is known of an object is: versions compare by the edit, then by the resourceVersion."""

    edit: int
    """The edit of the Subscription that it was sent for; 0 before the first one."""
    rv: int
    """The resourceVersion."""


@dataclass(frozen=True)
class Entry:
    """What is known of one object."""

    key: str
    version: Version
    object: str | None
    """As JSON; None once it left the set: an older event must not bring it back."""


class ReplicaStore(Protocol):
    """A *generation* is one whole set: while a fresh snapshot comes in, the one that is shown and the next one are there
    together. What an operation returned from is there after a crash. Several processes may share a store: both writes are
    conditional."""

    def read_position(self) -> Position | None:
        """What was written last; None in an empty store."""

    def write_position(self, position: Position) -> bool:
        """Writes it if the one that is there has the revision before it. Returns whether it did."""

    def read(self, generation: int, key: str) -> Entry | None: ...

    def put(self, generation: int, entry: Entry) -> bool:
        """Puts an entry unless one that is as new is there. Returns whether it did."""

    def entries(self, generation: int) -> Iterator[Entry]:
        """All entries by ascending keys, those of objects that left among them."""

    def drop(self, generation: int) -> None:
        """Deletes a whole generation."""

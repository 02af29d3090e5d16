"""How far a replica is."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

from .message import Message
from .store import Version


@dataclass(frozen=True)
class Position:
    """One small row, written when a set begins or is complete. The first one is of an empty store."""

    revision: int = 0
    """One higher with each write."""
    queue: str = ""
    """The name of the queue that is followed; empty until a message said it."""
    base: int = 0
    """The edit of the ERROR that was heeded last: what is of a lower one is over."""
    error: str = ""
    """The id of that ERROR."""
    ended: int = 0
    """The highest edit whose snapshot ended: a Standard queue may say so before the ERROR."""
    shown: int = 1
    """The generation that is shown."""
    next: int = 0
    """The generation in which a fresh snapshot comes in; 0 while none does."""
    last: int = 1
    """The highest generation that ever was."""
    is_synced: bool = False
    """What is shown was complete once."""
    floor: Version = Version(0, 0)
    """Every change up to here is in what is shown: it was listed."""
    garbage: tuple[int, ...] = ()
    """Generations that are to be deleted."""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Position:
        fields = json.loads(text)
        return Position(**{**fields, "floor": Version(*fields["floor"]), "garbage": tuple(fields["garbage"])})


def place(position: Position, message: Message) -> Literal["here", "over", "new"]:
    """Where a message belongs: here; to what is over; or it begins a new set, of which a fresh snapshot comes. Another
    queue always does. An ERROR that bears no edit is told by its id from one that is handed out again."""
    if message.queue and position.queue and message.queue != position.queue:
        return "new"
    if message.edit < position.base:
        return "over"
    if message.kind != "start-over" or position.revision == 0:
        return "here"
    repeated = message.id == position.error if message.edit == 0 else message.edit == position.base
    return "here" if repeated else "new"


def turned(position: Position, message: Message) -> Position:
    """The position once a message that is here or new was seen; the same one where it says nothing new."""
    is_new = place(position, message) == "new"
    is_another = is_new and message.queue != position.queue
    is_error = message.kind == "start-over"
    ended = 0 if is_another else position.ended
    seen = replace(
        position,
        queue=message.queue or position.queue,
        base=message.edit if is_error else 0 if is_another else position.base,
        error=message.id if is_error else position.error,
        ended=max(ended, message.edit) if message.kind == "snapshot-end" else ended,
    )
    if not is_new:
        return position if position.revision > 0 and seen == position else seen
    fresh = position.last + 1
    garbage = (*position.garbage, position.next) if position.next else position.garbage
    return replace(seen, next=fresh, last=fresh, garbage=garbage)

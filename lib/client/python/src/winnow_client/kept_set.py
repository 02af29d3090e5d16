"""The protocol of a consumer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from .message import KubernetesObject, Message, key_of
from .position import Position, place, turned
from .proof import ProofCheck, UnprovenError
from .store import Entry, ReplicaStore, Version

Tell = Callable[..., None]
"""Is told what happens, before it is stored: `add` and `delete` an object, `update` an object and the one before, `synced`."""


@dataclass(frozen=True)
class Listing:
    """All objects at one resourceVersion, as a LIST gives them."""

    resource_version: str
    items: Iterable[KubernetesObject]
    edit: int | None = None
    """The edit of the Subscription whose selection it follows, where that is known."""


class OvertakenError(Exception):
    """Somebody else follows the same Subscription into the same store: what was decided is decided again."""


class KeptSet:
    """The set that a Subscription selects, in a store. Each message may come more than once, and after newer ones; the
    process may die between any two operations of the store. A message that was taken may be deleted from its queue."""

    def __init__(self, store: ReplicaStore, tell: Tell, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._tell = tell
        self._now = now
        self._is_verified = False
        self._proof: tuple[int, ProofCheck] | None = None
        """Of the generation that changes are put into, as soon as one bears a proof."""
        self.position = Position()

    def verify(self) -> None:
        """From now on checks what messages say of the set: for one consumer that lives on, as it reads the set for it."""
        self._is_verified = True

    def open(self) -> None:
        """Reads how far it is, and ends what a crash left half done."""
        self.position = self._store.read_position() or Position()
        self._clear()

    def is_current(self) -> bool:
        """Whether nobody else wrote the position since."""
        stored = self._store.read_position()
        return (stored.revision if stored else 0) == self.position.revision

    def take(self, message: Message) -> None:
        """Takes one message, or raises OvertakenError; or UnprovenError, and then it was taken."""
        if place(self.position, message) == "over":
            return
        position = turned(self.position, message)
        if position.next != self.position.next:
            self._carry_over(position, message)
        if position is not self.position:
            self._move(position)
        self._clear()
        if message.kind == "change":
            self._change(message)
        if message.kind == "snapshot-end" or self._has_ended():
            self._complete()

    def replace(self, list_objects: Callable[[], Listing], queue: str = "") -> None:
        """Shows what is listed in place of what is shown. While a fresh snapshot comes in nothing is done: it will do the
        same. `queue` is the queue that is followed from then on, where none was yet."""
        if self.position.next:
            return
        # Should this die half-way, what it wrote is garbage.
        fresh = self.position.last + 1
        self._move(replace(self.position, last=fresh, garbage=(*self.position.garbage, fresh)))
        listing = list_objects()
        edit = self._highest_edit() if listing.edit is None else listing.edit
        for obj in listing.items:
            rv = obj["metadata"].get("resourceVersion", listing.resource_version)
            self._store.put(fresh, Entry(key_of(obj), Version(edit, int(rv)), json.dumps(obj)))
        self._show(fresh, Version(edit, int(listing.resource_version)), queue)

    def get(self, key: str) -> KubernetesObject | None:
        entry = self._store.read(self.position.shown, key)
        return json.loads(entry.object) if entry and entry.object is not None else None

    def values(self) -> Iterator[KubernetesObject]:
        for entry in self._store.entries(self.position.shown):
            if entry.object is not None:
                yield json.loads(entry.object)

    def _carry_over(self, position: Position, message: Message) -> None:
        """Where there is no order, what follows an ERROR may be handed out before it: that is kept."""
        if message.kind != "start-over" or position.base == 0 or message.is_ordered:
            return
        shown, before = self.position.shown, self.position.next
        garbage = (*self.position.garbage, position.next)
        self._move(replace(self.position, last=position.last, garbage=garbage))
        for generation in (shown, before):
            for entry in self._store.entries(generation):
                if entry.version.edit >= position.base:
                    self._store.put(position.next, entry)

    def _change(self, message: Message) -> None:
        position, version = self.position, message.version
        is_shown = position.next == 0
        generation = position.shown if is_shown else position.next
        check = self._proof_for(message, generation)
        is_listed = is_shown and version.rv <= position.floor.rv
        before = self._store.read(generation, message.key)
        is_stale = (before is not None and version <= before.version) or (
            is_listed and version.edit <= position.floor.edit
        )
        if not is_stale:
            after = Entry(message.key, version, None if message.is_gone else json.dumps(message.object))
            if is_shown:
                self._tell_change(before, after, message.object)
            self._store.put(generation, after)
            if check:
                was = before.version.rv if before and before.object is not None else None
                check.change(message.key, was, None if message.is_gone else version.rv)
        if check and message.proof:
            try:
                check.check(message.proof, not is_stale and not is_listed)
            except UnprovenError:
                self._proof = None
                raise

    def _proof_for(self, message: Message, generation: int) -> ProofCheck | None:
        """A check that knows the set as it is before the message."""
        if message.proof is None or not self._is_verified:
            return None
        if self._proof is None or self._proof[0] != generation:
            check = ProofCheck(self._now)
            for entry in self._store.entries(generation):
                if entry.object is not None:
                    check.change(entry.key, None, entry.version.rv)
            self._proof = (generation, check)
        return self._proof[1]

    def _has_ended(self) -> bool:
        """In a Standard queue the end of the fresh snapshot may come before its beginning."""
        return self.position.next != 0 and 0 < self.position.base <= self.position.ended

    def _complete(self) -> None:
        if self.position.next:
            self._show(self.position.next, Version(0, 0))
        elif not self.position.is_synced:
            self._tell("synced")
            self._move(replace(self.position, is_synced=True))

    def _show(self, fresh: int, floor: Version, queue: str = "") -> None:
        """Tells how `fresh` differs from what is shown, and shows it from then on, by one write."""
        shown = self.position.shown
        for before, after in _pairs(self._store.entries(shown), self._store.entries(fresh)):
            self._tell_change(before, after)
        self._tell("synced")
        garbage = (*(one for one in self.position.garbage if one != fresh), shown)
        self._move(
            replace(
                self.position,
                queue=self.position.queue or queue,
                shown=fresh,
                next=0,
                is_synced=True,
                floor=floor,
                garbage=garbage,
            )
        )
        self._clear()

    def _tell_change(self, before: Entry | None, after: Entry | None, left: KubernetesObject | None = None) -> None:
        """Tells what it is to the set when `after` takes the place of `before`."""
        was = json.loads(before.object) if before and before.object is not None else None
        now = json.loads(after.object) if after and after.object is not None else None
        if was is None and now is not None:
            self._tell("add", now)
        elif was is not None and now is None:
            self._tell("delete", left or was)
        elif was is not None and now is not None and not _is_same(was, now):
            self._tell("update", now, was)

    def _clear(self) -> None:
        if self.position.garbage:
            for generation in self.position.garbage:
                self._store.drop(generation)
            self._move(replace(self.position, garbage=()))

    def _move(self, position: Position) -> None:
        raised = replace(position, revision=self.position.revision + 1)
        if not self._store.write_position(raised):
            self.open()
            raise OvertakenError("another client writes the same Subscription into the same store")
        self.position = raised

    def _highest_edit(self) -> int:
        edits = (entry.version.edit for entry in self._store.entries(self.position.shown))
        return max(edits, default=self.position.floor.edit)


def _is_same(one: KubernetesObject, other: KubernetesObject) -> bool:
    """A resourceVersion is one state. The kind tells whether it is all of it, as the Subscription's `payload` says."""
    versions = {obj["metadata"].get("resourceVersion") for obj in (one, other)}
    return len(versions) == 1 and one.get("kind") == other.get("kind")


def _pairs(before: Iterator[Entry], after: Iterator[Entry]) -> Iterator[tuple[Entry | None, Entry | None]]:
    """Two generations side by side, by ascending keys."""
    old, fresh = next(before, None), next(after, None)
    while old or fresh:
        is_old = old is not None and (fresh is None or old.key <= fresh.key)
        is_fresh = fresh is not None and (old is None or fresh.key <= old.key)
        yield (old if is_old else None, fresh if is_fresh else None)
        old = next(before, None) if is_old else old
        fresh = next(after, None) if is_fresh else fresh

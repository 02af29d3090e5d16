"""A replica in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from .position import Position
from .store import REMEMBERED, Entry


class MemoryStore:
    """It is gone when the process ends, and then it begins with a new Subscription or a LIST."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._position: Position | None = None
        self._generations: dict[int, dict[str, Entry]] = {}
        self._left: list[tuple[float, int, Entry]] = []

    def read_position(self) -> Position | None:
        return self._position

    def write_position(self, position: Position) -> bool:
        if position.revision != (self._position.revision if self._position else 0) + 1:
            return False
        self._position = position
        return True

    def read(self, generation: int, key: str) -> Entry | None:
        return self._generations.get(generation, {}).get(key)

    def put(self, generation: int, entry: Entry) -> bool:
        entries = self._generations.setdefault(generation, {})
        before = entries.get(entry.key)
        if before is not None and entry.version <= before.version:
            return False
        entries[entry.key] = entry
        if entry.object is None:
            self._left.append((self._now(), generation, entry))
            self._forget_left()
        return True

    def entries(self, generation: int) -> Iterator[Entry]:
        entries = self._generations.get(generation, {})
        return iter([entries[key] for key in sorted(entries)])

    def drop(self, generation: int) -> None:
        self._generations.pop(generation, None)

    def _forget_left(self) -> None:
        while self._left and self._left[0][0] < self._now() - REMEMBERED:
            _, generation, entry = self._left.pop(0)
            entries = self._generations.get(generation, {})
            if entries.get(entry.key) is entry:
                del entries[entry.key]

"""A replica in a file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator

from .position import Position
from .store import REMEMBERED, Entry, Version

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS position (
  id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS entry (
  generation INTEGER NOT NULL, key TEXT NOT NULL, edit INTEGER NOT NULL, rv TEXT NOT NULL, object TEXT, gone REAL,
  PRIMARY KEY (generation, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS gone ON entry (gone) WHERE gone IS NOT NULL;
"""
# The first one, or the one after that which is there.
_WRITE_POSITION = """
INSERT INTO position (id, revision, value)
SELECT 1, :revision, :value WHERE :revision = COALESCE((SELECT revision FROM position), 0) + 1
ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, value = excluded.value
"""
_STEP = 500


class SqliteStore:
    """Opens the replica in a file, which is made where there is none."""

    def __init__(self, path: str, now: Callable[[], float] = time.time) -> None:
        self._now = now
        # Every statement is a transaction of its own but for those that begin one.
        self._database = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
        self._database.executescript(_SCHEMA)

    def read_position(self) -> Position | None:
        row = self._database.execute("SELECT value FROM position").fetchone()
        return Position.from_json(row[0]) if row else None

    def write_position(self, position: Position) -> bool:
        given = {"revision": position.revision, "value": position.to_json()}
        return self._database.execute(_WRITE_POSITION, given).rowcount == 1

    def read(self, generation: int, key: str) -> Entry | None:
        asked = "SELECT key, edit, rv, object FROM entry WHERE generation = ? AND key = ?"
        row = self._database.execute(asked, (generation, key)).fetchone()
        return _entry(row) if row else None

    def put(self, generation: int, entry: Entry) -> bool:
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            before = self.read(generation, entry.key)
            if before is not None and entry.version <= before.version:
                return False
            gone = self._now() if entry.object is None else None
            if gone is not None:
                self._database.execute("DELETE FROM entry WHERE gone < ?", (gone - REMEMBERED,))
            row = (generation, entry.key, entry.version.edit, str(entry.version.rv), entry.object, gone)
            self._database.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)", row)
            return True

    def entries(self, generation: int) -> Iterator[Entry]:
        asked = "SELECT key, edit, rv, object FROM entry WHERE generation = ? AND key > ? ORDER BY key LIMIT ?"
        after = ""
        while rows := self._database.execute(asked, (generation, after, _STEP)).fetchall():
            yield from map(_entry, rows)
            after = rows[-1][0]

    def drop(self, generation: int) -> None:
        self._database.execute("DELETE FROM entry WHERE generation = ?", (generation,))

    def close(self) -> None:
        self._database.close()


def _entry(row: tuple[str, int, str, str | None]) -> Entry:
    key, edit, rv, obj = row
    return Entry(key, Version(edit, int(rv)), obj)

import { DatabaseSync } from 'node:sqlite';
import type { Position } from '../position.ts';
import { type Entry, REMEMBERED, type ReplicaStore } from '../store.ts';
import { isNewer } from '../version.ts';

/** The store of a replica in a file. */
export interface SqliteStore extends ReplicaStore {
  close(): void;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS position (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS entry (
    generation INTEGER NOT NULL, key TEXT NOT NULL, edit INTEGER NOT NULL, rv TEXT NOT NULL, object TEXT, gone INTEGER,
    PRIMARY KEY (generation, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS gone ON entry (gone) WHERE gone IS NOT NULL;
`;

interface EntryRow {
  readonly key: string;
  readonly edit: number;
  readonly rv: string;
  readonly object: string | null;
}

/** The rows that one query reads when a generation is listed. */
const STEP = 500;

/** Opens a store in a file, which is created if it is absent. It needs Node 22.13 or later. */
export function openSqliteStore(path: string, now: () => number = Date.now): SqliteStore {
  const database = new DatabaseSync(path);
  database.exec(SCHEMA);
  const prepared = prepare(database);
  const readEntry = (generation: number, key: string) => {
    const row = prepared.read.get(generation, key) as EntryRow | undefined;
    return row && entryOf(row);
  };
  return {
    readPosition: async () => {
      const row = prepared.readPosition.get() as { value: string } | undefined;
      return row && (JSON.parse(row.value) as Position);
    },
    writePosition: async (position) =>
      prepared.writePosition.run(position.revision, JSON.stringify(position)).changes === 1,
    read: async (generation, key) => readEntry(generation, key),
    put: async (generation, entry) => {
      const { key, version, object = null } = entry;
      return transact(database, () => {
        const before = readEntry(generation, key);
        if (before !== undefined && !isNewer(version, before.version)) return false;
        if (object === null) prepared.forget.run(now() - REMEMBERED);
        const gone = object === null ? now() : null;
        prepared.put.run(generation, key, version.edit, version.rv, object, gone);
        return true;
      });
    },
    async *entries(generation) {
      for (let after = ''; ; ) {
        const rows = prepared.walk.all(generation, after, STEP) as unknown as EntryRow[];
        yield* rows.map(entryOf);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.key;
      }
    },
    drop: async (generation) => {
      prepared.drop.run(generation);
    },
    close: () => database.close(),
  };
}

function prepare(database: DatabaseSync) {
  return {
    readPosition: database.prepare('SELECT value FROM position'),
    // Writes the first position, or the one whose revision follows the stored one.
    writePosition: database.prepare(`
      INSERT INTO position (id, revision, value)
      SELECT 1, ?1, ?2 WHERE ?1 = COALESCE((SELECT revision FROM position), 0) + 1
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, value = excluded.value`),
    read: database.prepare('SELECT key, edit, rv, object FROM entry WHERE generation = ? AND key = ?'),
    put: database.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)'),
    walk: database.prepare(
      'SELECT key, edit, rv, object FROM entry WHERE generation = ? AND key > ? ORDER BY key LIMIT ?',
    ),
    forget: database.prepare('DELETE FROM entry WHERE gone < ?'),
    drop: database.prepare('DELETE FROM entry WHERE generation = ?'),
  };
}

function transact<Result>(database: DatabaseSync, act: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = act();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function entryOf({ key, edit, rv, object }: EntryRow): Entry {
  return { key, version: { edit, rv }, object: object ?? undefined };
}

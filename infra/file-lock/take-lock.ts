import { DatabaseSync } from 'node:sqlite';

/** A held lock. */
export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** References to the held locks: the garbage collector would release a lock without one. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file, and creates it if it does not exist. Returns undefined if another process or this one holds the lock.
 * It is a lock of the operating system, taken through SQLite, so the end of the process releases it. The file stays
 * empty.
 *
 * @throws {Error} the file cannot be created or locked.
 */
export function takeLock(path: string): FileLock | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return hold(lock);
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === SQLITE_BUSY) return undefined;
    throw new Error(`cannot lock ${path}: ${message}`, { cause: error });
  }
}

function hold(lock: DatabaseSync): FileLock {
  held.add(lock);
  return {
    release: () => {
      lock.close();
      held.delete(lock);
    },
  };
}

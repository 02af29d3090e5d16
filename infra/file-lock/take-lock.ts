import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** What nobody refers to is collected, and a lock that is collected is let go of. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock that a file is, which is made where it is missing; undefined where another process has it, or this one
 * already. It is the operating system's, by way of SQLite, so the end of the process, however it ends, lets go of it.
 * Nothing is stored in it.
 *
 * @throws {Error} it cannot be made, or locked.
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

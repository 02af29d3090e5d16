import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../connection/index.ts';

const SQLITE_BUSY = 5;

/**
 * Does something that one process at a time may do with a file. The lock is the operating system's, by way of SQLite,
 * so the end of the process, however it ends, lets go of it; nothing is stored in it.
 *
 * @throws {Fault} another process holds it.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const path = `${file}.lock`;
  const lock = take(path, file);
  try {
    return await work();
  } finally {
    // While it is held: who comes later makes one anew.
    rmSync(path, { force: true });
    lock.close();
  }
}

function take(path: string, file: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode !== SQLITE_BUSY) throw new Error(`cannot lock ${path}: ${message}`, { cause: error });
    throw new Fault({
      what: `another export or import is under way with ${file}`,
      advice: 'Wait for it, or name another file.',
    });
  }
}

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const SQLITE_BUSY = 5;
/** Between two looks, in ms. */
const PAUSE = 100;

/** Does something while no other process does what is under the same lock. A process that dies has it no more. */
export async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(path), { recursive: true });
  // The lock is the operating system's, by way of SQLite; nothing is stored in it.
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    while (!take(lock)) await sleep(PAUSE);
    return await work();
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../file-lock/index.ts';

/** The pause between two attempts, in ms. */
const PAUSE = 100;

/** Runs `work` while this process holds a lock. If the process dies, its lock is released. */
export async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(path), { recursive: true });
  let lock = takeLock(path);
  for (; lock === undefined; lock = takeLock(path)) await sleep(PAUSE);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

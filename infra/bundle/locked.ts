import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../file-lock/index.ts';

/** Between two looks, in ms. */
const PAUSE = 100;

/** Does something while no other process does what is under the same lock. A process that dies has it no more. */
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

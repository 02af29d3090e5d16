import { rmSync } from 'node:fs';
import { takeLock } from '../../infra/file-lock/index.ts';
import { Fault } from '../connection/index.ts';

/**
 * Runs `work` while this process holds the lock of a file.
 *
 * @throws {Fault} another process holds the lock.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const path = `${file}.lock`;
  const lock = takeLock(path);
  if (lock === undefined) {
    throw new Fault({
      what: `another export or import is using ${file}`,
      advice: 'Wait until it ends, or use another file name.',
    });
  }
  try {
    return await work();
  } finally {
    // Remove the file before releasing the lock: a later process creates a new one.
    rmSync(path, { force: true });
    lock.release();
  }
}

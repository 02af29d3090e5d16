import { rmSync } from 'node:fs';
import { takeLock } from '../../infra/file-lock/index.ts';
import { Fault } from '../connection/index.ts';

/**
 * Does something that one process at a time may do with a file.
 *
 * @throws {Fault} another process does it.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const path = `${file}.lock`;
  const lock = takeLock(path);
  if (lock === undefined) {
    throw new Fault({
      what: `another export or import is under way with ${file}`,
      advice: 'Wait for it, or name another file.',
    });
  }
  try {
    return await work();
  } finally {
    // While it is held: who comes later makes one anew.
    rmSync(path, { force: true });
    lock.release();
  }
}

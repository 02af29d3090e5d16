import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes the chunks of an earlier build from a function's folder, because all of it is deployed. Incomplete files of
 * other processes have another extension and stay.
 *
 * @param files the absolute paths of the chunks that stay
 */
export async function removeOthers(directory: string, files: readonly string[]): Promise<void> {
  for await (const path of glob(['chunks/*.mjs', 'chunks/*.mjs.map'], { cwd: directory })) {
    if (!files.includes(join(directory, path))) await rm(join(directory, path), { force: true });
  }
}

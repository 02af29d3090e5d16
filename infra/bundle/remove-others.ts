import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes the chunks of an earlier build from a function's folder, all of which is deployed. What another process is
 * about to write there has another ending until it is whole.
 *
 * @param files the whole paths of those that stay
 */
export async function removeOthers(directory: string, files: readonly string[]): Promise<void> {
  for await (const path of glob(['chunks/*.mjs', 'chunks/*.mjs.map'], { cwd: directory })) {
    if (!files.includes(join(directory, path))) await rm(join(directory, path), { force: true });
  }
}

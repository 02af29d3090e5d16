import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Built from what is hashed. */
const BUILT = ['lib/*/dist'];

/**
 * One digest (hex) of the names and contents of all files that the patterns, relative to `root`, match.
 *
 * @throws where a pattern matches no file: it names a folder that has moved, and old builds would be kept
 */
export async function hashFiles(patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const before = paths.size;
    for await (const path of glob(pattern, { cwd: root, exclude: BUILT })) paths.add(path);
    if (paths.size === before) throw new Error(`no further file matches ${pattern}`);
  }
  for (const path of [...paths].sort()) hash.update(path).update(await readFile(join(root, path)));
  return hash.digest('hex');
}

/** Writes a file that other processes see whole or not at all, in a folder that is made where it is missing. */
export async function writeWhole(path: string, contents: string | Uint8Array, mode = 0o666): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents, { mode });
  await rename(temporary, path);
}

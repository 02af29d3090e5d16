import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Outputs that are built from the hashed files. */
const BUILT = ['lib/*/dist'];

/**
 * One digest (hex) of the names and contents of all files that the patterns, relative to `root`, match.
 *
 * @throws {Error} a pattern matches no further file. Its folder was probably moved, and without this error old builds
 *   would count as valid
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

/** Writes a file atomically, and creates its folder if necessary. */
export async function writeWhole(path: string, contents: string | Uint8Array, mode = 0o666): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents, { mode });
  await rename(temporary, path);
}

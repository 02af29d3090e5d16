import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '../../bundle/index.ts';

/**
 * What `parse` makes of a file of ours; undefined where it is not there.
 *
 * @throws {Error} it is not what was written, with its name and what to do
 */
export async function readKept<Kept>(file: string, parse: (text: string) => Kept): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    return text === undefined ? undefined : parse(text);
  } catch (cause) {
    throw new Error(`${file} is not what winnow wrote. Delete it, and a new one is made.`, { cause });
  }
}

/** For this user alone, and whole or not at all. */
export async function keepFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, text, 0o600);
}

import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '../../bundle/index.ts';

/**
 * Reads and parses a stored file; undefined if it does not exist.
 *
 * @throws {Error} `parse` fails; the message names the file and says what to do
 */
export async function readKept<Kept>(file: string, parse: (text: string) => Kept): Promise<Kept | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    return text === undefined ? undefined : parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged. Delete it, and winnow creates a new one.`, { cause });
  }
}

/** Writes a file atomically, readable by this user only. */
export async function keepFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, text, 0o600);
}

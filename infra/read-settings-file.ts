import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/**
 * What a file of settings says, in YAML or JSON.
 *
 * @param check throws where it is not what it has to be
 * @throws {Error} there is no such file, or it is wrong; the message names it.
 */
export async function readSettingsFile(file: string, check: (value: unknown) => void): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    const value: unknown = parse(text);
    check(value);
    return value;
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

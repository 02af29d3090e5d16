import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/**
 * Reads a YAML or JSON file that a setting names.
 *
 * @param check throws if the value is invalid
 * @throws {Error} the file cannot be read or is invalid; the message names the file.
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

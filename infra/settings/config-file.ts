import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

/** The default settings file, relative to the folder in which `cdk` runs. */
export const CONFIG_FILE = 'winnow.config.json';

/** The JSON schema of a settings file. `npm run settings` writes it. */
export const SETTINGS_SCHEMA = join(import.meta.dirname, 'winnow.config.schema.json');

/** The key of the template's metadata that holds its settings, in the form of a settings file. */
export const SETTINGS_METADATA = 'winnow:settings';

/** A settings file with its values as they are in the file. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads a settings file, and checks the names and the types of its values. `readSettings` checks the values themselves.
 *
 * @param named another file than `winnow.config.json`, which must exist
 * @returns undefined if no file is named and the default file does not exist
 * @throws {Error} the file cannot be read or is invalid; the message names the file and the setting
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile | undefined> {
  const path = named ?? CONFIG_FILE;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === undefined && error.code === 'ENOENT') return undefined;
    throw new Error(`the settings file ${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    const { $schema: _, ...values } = parsed(text);
    for (const [name, value] of Object.entries(values)) check(name, value);
    return { path, values };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The error message for an unknown setting, with the most similar name. */
export function unknownName(name: string): string {
  const meant = nearest(name, Object.keys(SETTINGS));
  return `unknown setting ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error('it must hold a JSON object, with a field for each setting');
}

/** Type checks by the types of the JSON schema. */
const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
};

function check(name: string, value: unknown): void {
  const { [name]: setting }: Readonly<Record<string, Setting<unknown>>> = SETTINGS;
  if (setting === undefined) throw new Error(unknownName(name));
  if (setting.onlyContext) {
    throw new Error(`the setting ${name} is allowed on the command line only: -c ${name}=…`);
  }
  const { type = 'string' } = setting.schema;
  if (IS[String(type)]?.(value)) return;
  throw new Error(
    `the setting ${name} is ${JSON.stringify(value)}: it must be ${type === 'string' ? 'a string' : `of the JSON type ${type}`}`,
  );
}

/** The name that is most similar to a written one; undefined if none is similar. */
function nearest(written: string, names: readonly string[]): string | undefined {
  const most = Math.ceil(written.length / 2);
  const [best] = names
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** The Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [other, wanted] of [...to].entries()) {
      const [changed = 0, removed = 0, added = 0] = [row[other], row[other + 1], next[other]];
      next.push(Math.min(changed + (letter === wanted ? 0 : 1), removed + 1, added + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nearest } from './nearest.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

/** Where the settings of a stack are, from where `cdk` runs. */
export const CONFIG_FILE = 'winnow.config.json';

/** The JSON schema of such a file, which `npm run settings` writes. */
export const SETTINGS_SCHEMA = join(import.meta.dirname, 'winnow.config.schema.json');

/** Under this name a template holds the settings that were chosen for it, as a file would. */
export const SETTINGS_METADATA = 'winnow:settings';

/** The settings that a file holds, as it holds them. */
export interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads a file of settings and checks its names and the types of its values. Their content is read with the settings.
 *
 * @param named another file than `winnow.config.json`, which has to be there
 * @returns undefined where no file is named and none is there
 * @throws {Error} it is not there, or not what it has to be; the message names the file and the setting
 */
export async function readConfigFile(named: string | undefined): Promise<ConfigFile | undefined> {
  const path = named ?? CONFIG_FILE;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (named === undefined && error.code === 'ENOENT') return undefined;
    throw new Error(`the file of settings ${path} cannot be read: ${error.message}`);
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

/** What to write instead of a name that is no setting. */
export function unknownName(name: string): string {
  const meant = nearest(name, Object.keys(SETTINGS));
  return `there is no setting ${name}${meant === undefined ? '' : `; the nearest is ${meant}`}`;
}

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error('it must hold a JSON object, with a field for each setting');
}

/** By the types of the JSON schema. */
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
    throw new Error(`the setting ${name} is for the command line only: -c ${name}=…`);
  }
  const { type = 'string' } = setting.schema;
  if (IS[String(type)]?.(value)) return;
  throw new Error(
    `the setting ${name} is ${JSON.stringify(value)}: it must be ${type === 'string' ? 'a text' : `of the JSON type ${type}`}`,
  );
}

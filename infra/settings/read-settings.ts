import type { Node } from 'constructs';
import type { Setting } from './setting.ts';
import type { Settings } from './settings.ts';
import { SETTINGS } from './table.ts';

/**
 * Reads the context of the CDK: `-c name=value`, or cdk.json.
 *
 * @throws {Error} a value that a setting cannot have: a typo must not choose.
 */
export function readSettings(node: Node): Settings {
  const read = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const given: unknown = node.tryGetContext(name);
    return [name, given === undefined ? setting.fallback : setting.read(given, name)];
  });
  // The table has an entry for each field of `Settings`, of the field's type.
  return Object.fromEntries(read) as Settings;
}

/** Names in the context that look like a setting and are none. The CDK's own names have more than letters. */
export function unknownSettings(node: Node): string[] {
  return Object.keys(node.getAllContext()).filter((name) => /^[A-Za-z]+$/.test(name) && !(name in SETTINGS));
}

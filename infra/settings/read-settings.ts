import type { Node } from 'constructs';
import { type ConfigFile, unknownName } from './config-file.ts';
import type { Setting } from './setting.ts';
import type { Settings } from './settings.ts';
import { SETTINGS } from './table.ts';

/**
 * Reads the settings. The context of the CDK (`-c name=value`, or cdk.json) overrides the settings file.
 *
 * @throws {Error} a value is invalid; a typo must not select a default
 */
export function readSettings(node: Node, file?: ConfigFile): Settings {
  const read = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const given: unknown = node.tryGetContext(name);
    if (given !== undefined) return [name, setting.read(given, name)];
    const { [name]: written } = file?.values ?? {};
    return [name, written === undefined ? setting.fallback : inFile(file, () => setting.read(written, name))];
  });
  // The table has an entry for each field of `Settings`, of the field's type.
  return Object.fromEntries(read) as Settings;
}

/** The settings that differ from their defaults, by name, in the form of a settings file. */
export function chosenSettings(settings: Settings): Readonly<Record<string, unknown>> {
  const chosen = Object.entries<Setting<unknown>>(SETTINGS).flatMap(
    ([name, { fallback, onlyContext, write }]) => {
      const value = settings[name as keyof Settings];
      const isFallback = JSON.stringify(value) === JSON.stringify(fallback);
      return isFallback || onlyContext ? [] : [[name, write?.(value) ?? value]];
    },
  );
  return Object.fromEntries(chosen);
}

/** A notice for each value of the settings file that the context overrides. */
export function overridesOf(node: Node, file?: ConfigFile): readonly string[] {
  return Object.entries(file?.values ?? {}).flatMap(([name, written]) => {
    const given: unknown = node.tryGetContext(name);
    if (given === undefined) return [];
    return [`-c ${name}=${given} overrides ${JSON.stringify(written)} of ${file?.path}`];
  });
}

/**
 * A warning for each name in the context that looks like a setting but is unknown. The CDK's own names are not just
 * letters.
 */
export function unknownSettings(node: Node): readonly string[] {
  const names = Object.keys(node.getAllContext()).filter((name) => /^[A-Za-z]+$/.test(name));
  return names
    .filter((name) => !(name in SETTINGS))
    .map((name) => `-c ${name} has no effect: ${unknownName(name)}`);
}

function inFile<Value>(file: ConfigFile | undefined, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file?.path}: ${error instanceof Error ? error.message : error}`);
  }
}

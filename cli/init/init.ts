import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { CONFIG_FILE, SETTINGS_SCHEMA } from '../../infra/settings/index.ts';
import { screen } from '../screen.ts';
import type { InitOptions } from './options.ts';
import { stackSettings } from './stack-settings.ts';

/** The settings of a new file. Every other setting has its default. */
const DEFAULTS = { stackName: 'Winnow' };

/** Writes a new settings file, and prints the next command. */
export async function init({ fromStack, file }: InitOptions): Promise<void> {
  const settings = fromStack === undefined ? DEFAULTS : await stackSettings(fromStack);
  const folder = dirname(resolve(file));
  const $schema = relative(folder, SETTINGS_SCHEMA).split(sep).join('/');
  const text = JSON.stringify(
    { $schema: $schema.startsWith('.') ? $schema : `./${$schema}`, ...settings },
    null,
    2,
  );
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${text}\n`, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${file} exists and was not changed: delete it first, or name another file with --file`);
  });
  screen.say(
    `${file} holds ${Object.keys(settings).length} settings; docs/deploy/README.md describes each one.`,
  );
  if (!('principals' in settings)) {
    screen.say(
      'Without "principals" the administrator is the person who deploys: set it before another person deploys.',
    );
  }
  screen.command(`npx cdk deploy${resolve(file) === resolve(CONFIG_FILE) ? '' : ` -c configFile=${file}`}`);
}

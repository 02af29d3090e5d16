import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { CONFIG_FILE, SETTINGS_METADATA, SETTINGS_SCHEMA } from '../../infra/settings/index.ts';
import { askAws } from '../ask-aws.ts';
import { screen } from '../screen.ts';
import type { InitOptions } from './options.ts';

interface Template {
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

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
      'Without "principals" the administrator is the person who deploys: set "principals" before another person deploys.',
    );
  }
  screen.command(`npx cdk deploy${resolve(file) === resolve(CONFIG_FILE) ? '' : ` -c configFile=${file}`}`);
}

/**
 * The settings of a deployed stack, in the form of a settings file.
 *
 * @throws {Error} there is no such stack, or it stores no settings
 */
async function stackSettings(stack: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await askAws(['cloudformation', 'get-template', '--stack-name', stack]);
  const { TemplateBody }: { readonly TemplateBody: Template | string } = JSON.parse(text);
  const template: Template = typeof TemplateBody === 'string' ? JSON.parse(TemplateBody) : TemplateBody;
  const { [SETTINGS_METADATA]: settings } = template.Metadata ?? {};
  if (typeof settings === 'object' && settings !== null) return { stackName: stack, ...settings };
  throw new Error(
    `the stack ${stack} stores no settings: an older release or another app deployed it. ` +
      'Run "winnow init", and copy the -c options of "cdk deploy" into winnow.config.json',
  );
}

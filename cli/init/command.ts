import type { Command } from 'commander';
import type { InitOptions } from './options.ts';

const NOTES = `
"npx cdk deploy" reads the file from its working folder; -c NAME=VALUE overrides
a setting. Editors that support JSON schemas complete the names of settings.
docs/deploy/README.md describes each setting.`;

/** Adds the command `init` to the program. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('write a settings file (winnow.config.json) for "cdk deploy"')
    .option('--from-stack <name>', 'copy the settings of this deployed stack, using the AWS CLI')
    .option(
      '--file <file>',
      'the file to write; "cdk deploy -c configFile=FILE" reads a file of another name',
      'winnow.config.json',
    )
    .addHelpText('after', NOTES)
    .action(async (options: InitOptions) => {
      const { init } = await import('./init.ts');
      await init(options);
    });
}

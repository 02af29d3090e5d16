import type { Command } from 'commander';

export interface InitOptions {
  readonly fromStack?: string;
  readonly file: string;
}

const NOTES = `
"npx cdk deploy" reads the file from the folder that it runs in; -c NAME=VALUE
overrides a setting of it. An editor that knows JSON schemas completes the names.
docs/deploy/README.md describes each setting.`;

export function addInit(program: Command): void {
  program
    .command('init')
    .description('write a file of settings (winnow.config.json) for "cdk deploy"')
    .option('--from-stack <name>', 'with the settings of that deployed stack, asked with the AWS CLI')
    .option(
      '--file <file>',
      'where to write it; "cdk deploy -c configFile=FILE" reads another one',
      'winnow.config.json',
    )
    .addHelpText('after', NOTES)
    .action(async (options: InitOptions) => {
      const { init } = await import('./init.ts');
      await init(options);
    });
}

import type { Command } from 'commander';

export interface UpgradeCommandOptions {
  readonly table: string;
  readonly raise: boolean;
}

const NOTES = `
Without --raise it only looks. With it, once every function of the deployment has
shifted to this version: from then on the version before cannot be deployed again
(docs/runbook.md, "Upgrade"). It needs the rights to describe and read the table, and to
put one row, by the credentials and the region in the standard variables or files.`;

export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description("say in which version of their schema a table's rows are written, and raise it")
    .requiredOption('--table <name>', 'the table of the deployment')
    .option('--raise', 'have rows written in the next version that this Winnow knows', false)
    .addHelpText('after', NOTES)
    .action(async (options: UpgradeCommandOptions) => {
      const { upgrade } = await import('./upgrade.ts');
      await upgrade(options);
    });
}

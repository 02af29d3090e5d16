import type { Command } from 'commander';
import type { UpgradeCommandOptions } from './options.ts';

const NOTES = `
Without --raise the command only shows the version. Use --raise once every function of
the deployment runs this release: after that you cannot deploy the previous release
again (docs/runbook.md, "Upgrade"). The credentials in the standard variables or files
must be allowed to describe and read the table, and to put one row. The raise to version 5
lists the admission policies and webhooks that decide writes from then on. It stops at
an expression that does not compile, and at a webhook whose place is not in the list of
--webhooks.`;

/** Adds the command `upgrade` to the program. */
export function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description("show or raise the version of a table's row schema")
    .requiredOption('--table <name>', 'the table of the deployment')
    .option('--raise', 'raise the row schema to the next version', false)
    .option('--webhooks <file>', "the deployment's file of -c webhooks (default: no webhook may be called)")
    .addHelpText('after', NOTES)
    .action(async (options: UpgradeCommandOptions) => {
      const { upgrade } = await import('./upgrade.ts');
      await upgrade(options);
    });
}

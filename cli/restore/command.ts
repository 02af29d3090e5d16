import { type Command, InvalidArgumentError } from 'commander';
import type { RestoreCommandOptions } from './options.ts';

const NOTES = `
Run it on a table that point-in-time recovery created, before any Winnow uses that
table; docs/runbook.md, "Restore", describes what it does. It stores its progress in
a row of the table: if it is stopped, run the same command again. The credentials in
the standard variables or files must be allowed to read, write and update the table.`;

/** Adds the command `restore` to the program. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('repair a table that point-in-time recovery copied')
    .requiredOption('--table <name>', 'the copied table')
    .option(
      '--lost <seconds>',
      'for how long writers used the lost table after the time of the copy (default: until now)',
      seconds,
    )
    .addHelpText('after', NOTES)
    .action(async (options: RestoreCommandOptions) => {
      const { restore } = await import('./restore.ts');
      await restore(options);
    });
}

function seconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}

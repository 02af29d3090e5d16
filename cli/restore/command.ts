import { type Command, InvalidArgumentError } from 'commander';

export interface RestoreCommandOptions {
  readonly table: string;
  readonly lost?: number;
}

const NOTES = `
Of a table that point-in-time recovery made, before any Winnow uses it. What it
does is in docs/runbook.md, "Restore". It says how far it is in a row of the table:
when it was stopped, the same command goes on. It needs the rights to read, write
and change the table, by the credentials and the region in the standard variables
or files.`;

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('make a copy of a table good that was taken while it was written to')
    .requiredOption('--table <name>', 'the copy')
    .option(
      '--lost <seconds>',
      'for how long the lost table was written after the copy was taken; otherwise until now',
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
  throw new InvalidArgumentError('That is not a number of seconds.');
}

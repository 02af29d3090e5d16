import type { Command } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { ExportOptions } from './export-options.ts';

const NOTES = `
Winnow exports each collection at one resourceVersion and writes that number into
the file. If an export is interrupted, run the same command again: it continues.
kubectl can apply the file: a line without an object holds an empty list.`;

/** Adds the command `export` to the program. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('write all objects to a file, one per line')
    .argument('<file>', 'the file to write; an interrupted export continues in it')
    .option('--plain', 'leave out what a cluster sets itself: uids, owners, times, addresses, status', false);
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (file: string, options: ExportOptions) => {
      const { exportObjects } = await import('./export-objects.ts');
      await exportObjects(file, options);
    });
}

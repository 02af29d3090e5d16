import type { Command } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface ExportOptions extends AccessOptions {
  readonly plain: boolean;
}

const NOTES = `
Each collection is exported as it was at one resourceVersion, which the file says.
An export that was cut off goes on where it was when the same command is run again.
The lines can be applied with kubectl; those that are no objects are empty lists.`;

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('write all objects into a file, one a line')
    .argument('<file>', 'to write to; one that was cut off goes on')
    .option(
      '--plain',
      'without what a cluster gives its objects itself: uids, owners, times, addresses, status',
      false,
    );
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (file: string, options: ExportOptions) => {
      const { exportObjects } = await import('./export-objects.ts');
      await exportObjects(file, options);
    });
}

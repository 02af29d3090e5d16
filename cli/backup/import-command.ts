import { type Command, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface ImportOptions extends AccessOptions {
  readonly table?: string;
  readonly replace: boolean;
  readonly status: boolean;
  readonly incomplete: boolean;
}

const NOTES = `
The whole file is checked before anything is written. What is there already stays
as it is, and owners are named by the uids that they get. An import that was cut
off goes on where it was when the same command is run again: FILE.imported says
what was done. Objects that were being deleted are left out.

--table writes into a table of Winnow without its API, with the credentials and
the region in the standard variables or files, and keeps the uids.`;

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .description('create the objects of an export, in Winnow or in any Kubernetes cluster')
    .argument('<file>', 'that winnow export wrote')
    .option('--replace', 'what is there already becomes what the file says', false)
    .option('--status', 'write what the file says of the status, too', false)
    .option('--incomplete', 'take a file that has no end', false);
  withEndpoint(command)
    .addOption(
      new Option('--table <name>', 'the table of a Winnow, for uids that stay').conflicts([
        'url',
        'kubeconfig',
        'context',
      ]),
    )
    .addHelpText('after', NOTES)
    .action(async (file: string, options: ImportOptions) => {
      const { importObjects } = await import('./import-objects.ts');
      await importObjects(file, options);
    });
}

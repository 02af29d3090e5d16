import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { ImportOptions } from './import-options.ts';

const NOTES = `
The import checks the whole file before it writes anything. Objects that exist stay
unchanged, and owner references get the new uids of the owners. If an import is
interrupted, run the same command again: it continues, using the file FILE.imported.
Objects that were being deleted are left out. --incomplete also loads a file that
you wrote: one object as JSON in each line. Progress is on standard error.
--table writes directly into a Winnow table, not through the API, and keeps the
uids. With --table the command uses the credentials and the region in the standard variables or files.`;

/** Adds the command `import` to the program. */
export function addImport(program: Command): void {
  const command = program
    .command('import')
    .description('create the objects of an export, in Winnow or in any Kubernetes cluster')
    .argument('<file>', 'a file that winnow export wrote, or one with an object per line')
    .option('--replace', 'replace objects that exist with those in the file', false)
    .option('--status', 'also write the status in the file', false)
    .option('--incomplete', 'accept a file of an interrupted export, or one that you wrote', false);
  withEndpoint(command)
    .addOption(
      new Option('--table <name>', 'write into this Winnow table, and keep the uids').conflicts([
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

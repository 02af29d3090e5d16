import { type Command, InvalidArgumentError, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { PlaceOptions } from './options.ts';

const NOTES = `
The command shows on which nodes the pods of an object would run, by
kube-scheduler's rules and the stored nodes and pods. It stores nothing. The object
is a Pod, a workload with a pod template, or an object of a custom kind whose
CustomResourceDefinition names the template in the annotation
winnow.dev/pod-template. The exit code is 1 if a pod has no node.`;

/** Adds the command `place` to the program. */
export function addPlace(program: Command): void {
  const command = program
    .command('place')
    .description('show which nodes may run a pod, in which order, and why the others may not')
    .requiredOption('-f, --file <file>', 'a YAML or JSON file with one object; - for standard input')
    .option('--count <number>', 'how many pods to place, one after the other (default: 1)', countOf)
    .option('-n, --namespace <name>', 'the namespace if the object names none (default: "default")')
    .addOption(
      new Option('-o, --output <format>', 'one line per node, or the answer as JSON')
        .choices(['table', 'json'])
        .default('table'),
    );
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (options: PlaceOptions) => {
      const { place } = await import('./place.ts');
      await place(options);
    });
}

function countOf(text: string): number {
  if (/^[1-9][0-9]*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 1 or greater.');
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface PlaceOptions extends AccessOptions {
  readonly file: string;
  readonly count?: number;
  readonly namespace?: string;
  readonly output: 'table' | 'json';
}

const NOTES = `
It asks where the pods of an object would go, by kube-scheduler's rules over the
nodes and pods that are stored, and stores nothing. The object is a Pod, a workload
with a template of pods, or one of a kind whose CustomResourceDefinition says in
the annotation winnow.dev/pod-template where that is. It ends with 1 where a pod
has no node.`;

export function addPlace(program: Command): void {
  const command = program
    .command('place')
    .description('say which nodes a pod may go to, in which order, and why not the others')
    .requiredOption('-f, --file <file>', 'YAML or JSON of one object; - for standard input')
    .option('--count <number>', 'how many pods, one after the other; 1 by default', countOf)
    .option('-n, --namespace <name>', 'of the pods, where the object says none; default by default')
    .addOption(
      new Option('-o, --output <format>', 'a line for each node, or the answer as JSON')
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
  throw new InvalidArgumentError('It is a whole number from 1 on.');
}

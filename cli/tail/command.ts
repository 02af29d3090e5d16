import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { TailOptions } from './options.ts';

const NOTES = `
It watches the selected objects over HTTP and does not read the queue, because
reading removes messages from it. So it shows the changes that the queue receives,
but not the state of the queue. It creates nothing that you must clean up. Press
Ctrl-C to stop.`;

/** Adds the command `tail` to the program. */
export function addTail(program: Command): void {
  const command = program
    .command('tail')
    .description('print the changes that a Subscription delivers, without reading its queue')
    .argument('<name>', 'the name of the Subscription')
    .option('-n, --namespace <name>', 'the namespace of the Subscription', 'default')
    .addOption(
      new Option('-o, --output <format>', 'one line per change, or the watch event as JSON')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--snapshot', 'begin with all selected objects');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (name: string, options: TailOptions) => {
      const { tail } = await import('./tail.ts');
      await tail(name, options);
    });
}

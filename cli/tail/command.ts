import { type Command, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface TailOptions extends AccessOptions {
  readonly namespace: string;
  readonly output: 'text' | 'json';
  readonly snapshot?: boolean;
}

const NOTES = `
It watches what the Subscription selects, over HTTP, and leaves its queue alone:
who receives from a queue takes the messages away from its owner. So it shows
what the queue is told, and not how the queue fares. Nothing is made, and there is
nothing to clean up. Ctrl-C ends it.`;

export function addTail(program: Command): void {
  const command = program
    .command('tail')
    .description('print what a Subscription tells, as it happens, without touching its queue')
    .argument('<name>', 'of the Subscription')
    .option('-n, --namespace <name>', 'of the Subscription', 'default')
    .addOption(
      new Option('-o, --output <format>', 'a line in words, or the watch event as JSON')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--snapshot', 'begin with all that is selected');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (name: string, options: TailOptions) => {
      const { tail } = await import('./tail.ts');
      await tail(name, options);
    });
}

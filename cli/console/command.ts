import type { Command } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import { parsePort } from '../option-values.ts';
import type { ConsoleCommandOptions } from './options.ts';

const NOTES = `
The console is a page that shows sets: what a selector matches, what enters and
leaves, and what a change would do. It acts with your login. Only a page that was
opened by the printed link can use it, and a link opens one session. If a link is
used twice, its session ends: another user of this machine may have read it. Press
Enter for a new link, and Ctrl-C to stop.`;

/** Adds the command `console` to the program. */
export function addConsole(program: Command): void {
  const command = program
    .command('console')
    .description('serve a page on this machine that shows what selectors match')
    .option('--port <number>', 'the port, on loopback; 0 picks a free one', parsePort, 8082)
    .option('--read-only', 'refuse all requests that write', false)
    .option('--secrets', 'show the data and the history of Secrets, and allow all writes of them', false)
    .option('--no-open', 'do not open a browser');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (options: ConsoleCommandOptions) => {
      const { serveConsole } = await import('./serve-console.ts');
      await serveConsole(options);
    });
}

import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { screen } from './screen.ts';

/** The exit code for an invalid command line. Commander has printed the error. */
const MISUSE = 2;
/** The exit code that a shell reports after SIGPIPE. Node ignores that signal. */
const UNREAD = 128 + 13;

for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(UNREAD);
  });
}

endWithLauncher();

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : MISUSE;
  } else {
    screen.error(error instanceof Error ? error.message : String(error));
    // Loaded only here: it loads the Kubernetes client, which would delay help.
    const { Fault } = await import('./connection/index.ts');
    if (error instanceof Fault) for (const line of error.help) screen.note(line);
    process.exitCode = 1;
  }
}

/**
 * Ends this process, as SIGTERM would, when its launcher ends. The launcher is `bin/winnow.js` under a Node that is too
 * old. Without a launcher there is no channel, and the function does nothing.
 */
function endWithLauncher(): void {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep a finished command running.
  process.channel?.unref();
}

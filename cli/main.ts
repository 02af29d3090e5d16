import { CommanderError } from 'commander';
import { endWithLauncher } from './end-with-launcher.ts';
import { createProgram } from './program.ts';
import { screen } from './screen.ts';

/** A command line that is none; commander has said so. */
const MISUSE = 2;
/** As a shell says of a program that SIGPIPE ended, which Node does not let it do. */
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
    process.exitCode = 1;
  }
}

import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { screen } from './screen.ts';

/** A command line that is none; commander has said so. */
const MISUSE = 2;

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

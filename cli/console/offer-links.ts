import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { screen } from '../screen.ts';

/** The message when a link was used twice. */
export const REUSED =
  'A link of the console was used a second time, so its session has ended. If you did not open it twice, another user of this machine has read it. Press Enter for a new link.';

/** Prints a new link whenever the user presses Enter, if the terminal can be read. Returns a function that stops this. */
export function offerLinks(newLink: () => string): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !isInForeground()) return () => {};
  return onEnter(stdin, () => screen.say(`Open ${newLink()}`));
}

/** Calls `press` for each line of an input. Returns a function that stops this. */
export function onEnter(input: Readable, press: () => void): () => void {
  const hear = (chunk: Buffer) => {
    if (chunk.includes('\n')) press();
  };
  const ignore = () => {};
  input.on('data', hear).on('error', ignore);
  return () => {
    input.off('data', hear);
    input.pause();
  };
}

/**
 * Whether this process is in the foreground of its terminal. A process in the background would be stopped when it reads
 * the terminal. Only Linux says so; elsewhere the process is assumed to be in the foreground.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return true;
  }
}

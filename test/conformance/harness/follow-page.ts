import { expect } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import type { Running, Terminal } from './terminal.ts';

/** A block of commands in a page of documentation, with a comment above it that says how a test runs it. */
interface Block {
  /** How its commands are carried out. Those that `become` are repeated until they print what the page shows. */
  readonly kind: 'runs' | 'becomes' | 'keeps running' | 'prints';
  readonly text: string;
}

/**
 * Carries out the commands of a page as a reader would, and compares what they print. Returns the number of blocks.
 *
 * @param prepare returns a command of the page for the folder and the server of the test
 */
export async function followPage(
  page: string,
  terminal: Terminal,
  prepare: (command: string) => string,
): Promise<number> {
  const blocks = [
    ...page.matchAll(/^<!-- (runs|becomes|keeps running|prints) -->\n```console\n(.*?)^```$/gms),
  ].map(([, kind, text = '']) => ({ kind, text }) as Block);
  const started: Running[] = [];
  const seen: string[] = [];
  const print = async (command: string) => trimmed((await terminal.either(prepare(command))).output);
  for (const { kind, text } of blocks) {
    switch (kind) {
      case 'runs':
        for (const [command, prints] of commandsOf(text)) expect(await print(command)).toBe(prints);
        break;
      case 'becomes':
        for (const [command, prints] of commandsOf(text)) {
          await eventually(`$ ${command} prints ${prints}`, async () => (await print(command)) === prints);
        }
        break;
      case 'keeps running':
        for (const [command, prints] of commandsOf(text)) {
          const running = terminal.start(prepare(command));
          started.push(running);
          seen.push(...prints.split('\n'));
          await running.until((output) => output.length >= seen.length);
        }
        break;
      case 'prints':
        seen.push(...text.trimEnd().split('\n'));
        await started[0]?.until((output) => output.length >= seen.length);
        // Not at the end: a page's clean-up deletes objects, which the program may print.
        expect(started[0]?.output).toEqual(seen);
        break;
      default:
        kind satisfies never;
    }
  }
  for (const running of started) running.end();
  return blocks.length;
}

/** The commands of a block, each with the lines that it prints. */
function commandsOf(text: string): readonly (readonly [command: string, prints: string])[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...prints] = part.trimEnd().split('\n');
      return [command, prints.join('\n')] as const;
    });
}

/** The lines of an output without blanks at their ends. */
function trimmed(output: string): string {
  return output
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

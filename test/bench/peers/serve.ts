import { createInterface } from 'node:readline';
import type { Command } from './protocol.ts';

/** Answers commands from standard input until it ends. */
export async function serve(answer: (command: Command) => Promise<object> | object): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}

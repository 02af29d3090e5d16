import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** The reader of a command's lines: a pager or standard output. */
export interface Pager {
  /** Writes a line. Resolves to false when the reader has left. */
  line(text: string): Promise<boolean>;
  /** Resolves when everything is written and the reader has left. */
  end(): Promise<void>;
}

/**
 * Shows lines through `$PAGER`, or `less`, if standard output is a terminal. A short text stays on the screen. Without a
 * pager, or if `isPlain`, the lines go to standard output.
 */
export async function openPager({ isPlain }: { readonly isPlain: boolean }): Promise<Pager> {
  const { PAGER = 'less' } = process.env;
  if (isPlain || !process.stdout.isTTY || PAGER === '' || PAGER === 'cat') return plain;
  const child = spawn(PAGER, {
    shell: true,
    stdio: ['pipe', 'inherit', 'ignore'],
    env: { LESS: 'FRX', ...process.env },
  });
  let isOpen = true;
  const closed = once(child, 'close').then(() => {
    isOpen = false;
  });
  child.stdin.on('error', () => {
    isOpen = false;
  });
  // A shell reports a missing program when it ends. This happens long before a person could leave the pager.
  const isMissing = await Promise.race([
    closed.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, STARTED, false)),
  ]);
  if (isMissing) return plain;
  return {
    line: async (text) => {
      // A write fails when the reader leaves.
      if (isOpen) await Promise.race([write(child.stdin, `${text}\n`).catch(() => {}), closed]);
      return isOpen;
    },
    end: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** The time in which a missing pager is noticed, in ms. */
const STARTED = 50;

const plain: Pager = {
  line: async (text) => {
    await write(process.stdout, `${text}\n`);
    return true;
  },
  end: async () => {},
};

async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

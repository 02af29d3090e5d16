import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A program that runs beside the steps of an attempt. */
export interface Background {
  /** The lines of its output so far. */
  lines(): readonly string[];
  /** Ends the program at once. */
  stop(): Promise<void>;
}

export function runInBackground(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Background {
  const child = spawn(program, args, { env: { ...process.env, ...environment } });
  const closed = once(child, 'close');
  let log = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (log += text));
  return {
    lines: () => log.split('\n'),
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

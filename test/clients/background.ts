import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A program that runs beside the steps of an attempt. */
export interface Background {
  /** The lines of its output so far. */
  lines(): readonly string[];
  /** Whether it ended of itself. */
  ended(): boolean;
  /** Ends the program at once. */
  stop(): Promise<void>;
}

/** How many lines of a log an error shows. */
const SHOWN = 5;

/** Starts a program and collects its output. */
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
    ended: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Throws if a program ended, or logged a line that is a fault. */
export function expectNoFault(programs: readonly Background[], isFault: (line: string) => boolean): void {
  for (const program of programs) {
    const lines = program.lines();
    if (program.ended()) throw new Error(`a program ended: ${lines.slice(-SHOWN).join('\n')}`);
    const faults = lines.filter(isFault);
    if (faults.length > 0) throw new Error(faults.slice(0, SHOWN).join('\n'));
  }
}

/** Finds a port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

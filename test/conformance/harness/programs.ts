import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';

const LOOPBACK = '127.0.0.1';

export interface StartOptions {
  /** The name of its log; default: the program's. */
  readonly name?: string;
  /** Variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Servers that run beside a test. Their folder also has their logs: what they print as errors. */
export class Programs {
  readonly #folder: string;
  readonly #started = new Map<ChildProcess, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a program in the folder. Its standard input ends with this process. */
  start(
    program: string,
    flags: readonly string[],
    { name = basename(program), environment = {} }: StartOptions = {},
  ): void {
    const log = join(this.#folder, `${name}.log`);
    const child = spawn(program, flags, {
      cwd: this.#folder,
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stderr?.pipe(createWriteStream(log));
    this.#started.set(child, log);
  }

  /** The process ids of the running programs. */
  get pids(): readonly number[] {
    return [...this.#started.keys()].filter(isRunning).flatMap(({ pid }) => pid ?? []);
  }

  /** @throws if a program has ended, with the end of its log */
  async requireRunning(): Promise<void> {
    for (const [child, log] of this.#started) {
      if (isRunning(child)) continue;
      const lines = (await readFile(log, 'utf8')).split('\n');
      throw new Error(`${child.spawnfile} ended: ${lines.slice(-20).join('\n')}`);
    }
  }

  /** Ends the programs without waiting, for a process that exits. */
  kill(): void {
    for (const child of this.#started.keys()) child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    for (const child of [...this.#started.keys()].reverse()) {
      if (!isRunning(child)) continue;
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
    }
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Ports of loopback that no program listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, LOOPBACK));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => Number(Object(server.address()).port));
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { endGroup } from './end-group.ts';

/** Milliseconds. */
const START_WITHIN = 120_000;

export interface EmulatorProcess {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** All of it: nothing of the user's settings reaches the emulator. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs, and writes its log. */
  readonly directory: string;
  /** Whether it is ready. */
  ready(): Promise<boolean>;
}

/** Starts an emulator and waits until it is ready. Gives how to end it, with all that it has started. */
export async function startEmulator(emulator: EmulatorProcess): Promise<() => Promise<void>> {
  const { name, command, environment, directory } = emulator;
  const log = join(directory, `${name.toLowerCase()}.log`);
  const output = await open(log, 'a');
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', output.fd, output.fd],
    // A group of its own, with the functions in it: they end together, and not by a Ctrl-C that is ours.
    detached: true,
  });
  await output.close();
  try {
    await eventually(`${name} answers`, () => isReady(child, emulator), START_WITHIN);
  } catch (error) {
    await endGroup(child);
    throw new Error(`${name} does not start: ${error}\n${await readFile(log, 'utf8')}`, { cause: error });
  }
  return () => endGroup(child);
}

async function isReady({ exitCode }: ChildProcess, { ready }: EmulatorProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`it exited with ${exitCode}`);
  return ready();
}

/** Whether a GET is answered well. */
export function answersWell(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether a GET is answered, be it with an error. */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** A port of loopback that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { mutatedCopy } from './mutated-copy.ts';
import type { Mutation } from './mutation.ts';

/** A replay's time, in s. */
const REPLAY = 120;

/** What a mutated copy was found to do; `check` undefined: nothing wrong. */
export interface Outcome {
  readonly check: string | undefined;
  readonly message: string;
  readonly seed: number | undefined;
  readonly seconds: number;
}

/** Runs one seed without the mechanism. */
export function replay(mutation: Mutation, seed: number): Promise<Outcome> {
  return simulate(mutation, ['--seed', String(seed)], REPLAY);
}

/** Runs seeds of the recorded scenario until one finds a violation, for `seconds` at most. */
export function search(mutation: Mutation, from: number, seconds: number): Promise<Outcome> {
  return simulate(mutation, ['--from', String(from), '--seeds', '1000000', '--stop'], seconds);
}

/** @throws where the copy lacks what a run consists of: it would fail with the mechanism, too */
async function simulate(mutation: Mutation, options: readonly string[], limit: number): Promise<Outcome> {
  const copy = await mutatedCopy(mutation);
  const began = performance.now();
  const main = join(copy, 'test/simulation/main.ts');
  const args = [main, '--quiet', '--scenario', mutation.scenario, ...options];
  const child = spawn(process.execPath, ['--stack-trace-limit=5', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limit * 1000,
    killSignal: 'SIGKILL',
  });
  const [line = ''] = (await text(child.stdout)).split('\n');
  const [, seed, check, message = ''] = /^seed (\d+) scenario \S+: ([\w-]+): (.*)$/.exec(line) ?? [];
  const seconds = (performance.now() - began) / 1000;
  if (/Cannot find (module|package)/.test(message)) throw new Error(`the copy is not whole: ${message}`);
  return { check, message, seed: seed === undefined ? undefined : Number(seed), seconds };
}

import { partialDeepStrictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { bundledFile, functionEnvironment } from '../function-process.ts';
import type { ColdCase } from './cold-case.ts';
import type { ColdStart, Requests } from './cold-start.ts';
import type { ColdWorld } from './cold-world.ts';

const UNCOUNTED = 2;

/** Starts of a function and of its empty handler, in turns. */
export class ColdRace {
  readonly ours: ColdStart[] = [];
  readonly theirs: ColdStart[] = [];
  readonly #world: ColdWorld;
  readonly #of: ColdCase;

  constructor(world: ColdWorld, of: ColdCase) {
    this.#world = world;
    this.#of = of;
  }

  get name() {
    return this.#of.name;
  }

  /** Whether it has clients of the SDK. */
  get clients() {
    return this.#of.empty !== 'sts';
  }

  /** Asked of each service by a start of the function, and so by its empty handler. */
  get requests(): Requests {
    return this.ours.at(-1)?.requests ?? { dynamodb: 0, sqs: 0 };
  }

  /** The first start meets an empty table. They are not measured. */
  async prepare(): Promise<void> {
    for (const path of ['cold-start', `empty/${this.#of.empty}`]) {
      await bundle(join(import.meta.dirname, `${path}.ts`), bundledFile(path));
    }
    for (let start = 1; start <= UNCOUNTED; start += 1) await this.#startOurs();
  }

  async takeTurns(): Promise<void> {
    this.ours.push(await this.#startOurs());
    // What there is to do changes: a hint about a collection that nobody wrote to meanwhile needs fewer requests.
    this.theirs.push(await start(bundledFile(`empty/${this.#of.empty}`), this.requests));
  }

  async #startOurs(): Promise<ColdStart> {
    const { directory } = this.#world.bundles;
    const event = await this.#of.event(this.#world);
    const started = await start(join(directory, this.#of.name, 'index.mjs'), event);
    partialDeepStrictEqual(started.answer, this.#of.answer);
    return started;
  }
}

/** Starts a process that loads a handler's module and hands it one event. */
export async function start(module: string, event: unknown): Promise<ColdStart> {
  const program = [bundledFile('cold-start'), module, JSON.stringify(event)];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env: functionEnvironment() });
  return JSON.parse(stdout);
}

import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { toRule, toSelectorText } from './condition.ts';
import { SeededRandom } from './random.ts';
import { createEvents, type StreamName } from './stream.ts';
import type { Workload } from './workload.ts';

/** Raise it whenever the generator changes: the files of an older one are not read again. */
const GENERATION = 2;

/** The generated inputs as files, which all peers read. A file that is there already is taken as it is. */
export class Inputs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, `inputs-${GENERATION}`);
  }

  /** A line a subscription: the selector's text, a tab, the event-ruler rule. */
  subscriptions(workload: Workload, count: number): Promise<string> {
    return this.#file(`${workload.name}-${workload.cardinality}-${count}.subscriptions`, () =>
      subscriptionLines(workload, count),
    );
  }

  /** A line an event: `[labels before, labels after]`. */
  events(workload: Workload, options: { stream: StreamName; part: number; count: number }): Promise<string> {
    const { stream, part, count } = options;
    return this.#file(`${workload.name}-${workload.cardinality}-${stream}-${part}-${count}.events`, () =>
      createEvents({ workload, ...options }).map((event) => JSON.stringify(event)),
    );
  }

  /** Any other lines, under a name that says all they depend on. */
  lines(name: string, create: () => Iterable<string>): Promise<string> {
    return this.#file(name, create);
  }

  async #file(name: string, create: () => Iterable<string>): Promise<string> {
    const path = join(this.#folder, name);
    if (await exists(path)) return path;
    await mkdir(this.#folder, { recursive: true });
    const partial = `${path}.${process.pid}`;
    await writeLines(partial, create());
    await rename(partial, path);
    return path;
  }
}

function* subscriptionLines(workload: Workload, count: number): Generator<string> {
  const random = new SeededRandom(1);
  for (let at = 0; at < count; at++) {
    const conditions = workload.subscription(random);
    yield `${toSelectorText(conditions)}\t${toRule(conditions)}`;
  }
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const file = createWriteStream(path);
  for (const line of lines) {
    if (!file.write(`${line}\n`)) await new Promise<void>((resolve) => file.once('drain', () => resolve()));
  }
  file.end();
  await finished(file);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

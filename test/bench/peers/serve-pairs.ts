import { ENTERED } from './checksum.ts';
import { readLines } from './lines.ts';
import type { Command, Evaluated } from './protocol.ts';
import { serve } from './serve.ts';

/** A selector and what it is matched against, both ready. */
export interface Pair<Given> {
  readonly selector: { matches(labels: Given): boolean };
  readonly labels: Given;
}

export type CreatePair<Given> = (
  text: string,
  expressions: readonly object[],
  labels: Record<string, string>,
) => Pair<Given>;

/** Serves the `selectors` bench. */
export async function servePairs<Given>(create: CreatePair<Given>): Promise<void> {
  let pairs: readonly Pair<Given>[] = [];
  await serve((command: Command) => {
    switch (command.do) {
      case 'pairs':
        pairs = readLines(command.file).map((line) =>
          create(...(JSON.parse(line) as Parameters<typeof create>)),
        );
        return { pairs: pairs.length };
      case 'evaluate':
        return evaluate(pairs, command.milliseconds);
      default:
        throw new Error(`unknown command ${command.do}`);
    }
  });
}

function evaluate<Given>(pairs: readonly Pair<Given>[], milliseconds: number): Evaluated {
  const start = performance.now();
  let passes = 0;
  let hits = 0;
  while (performance.now() < start + milliseconds) {
    hits += pass(pairs);
    passes++;
  }
  const nanoseconds = ((performance.now() - start) * 1e6) / (passes * pairs.length);
  const found = find(pairs);
  if (hits !== passes * found.matches) throw new Error('a selector changed its mind');
  return { nanoseconds, ...found };
}

function pass<Given>(pairs: readonly Pair<Given>[]): number {
  let hits = 0;
  for (const { selector, labels } of pairs) if (selector.matches(labels)) hits++;
  return hits;
}

function find<Given>(pairs: readonly Pair<Given>[]) {
  let matches = 0;
  let sum = 0;
  for (const [at, { selector, labels }] of pairs.entries()) {
    if (!selector.matches(labels)) continue;
    matches++;
    sum += at + 1;
  }
  return { matches, hash: Math.imul(sum, ENTERED) >>> 0 };
}

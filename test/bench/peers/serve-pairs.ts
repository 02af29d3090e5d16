import { evaluate, type Questions } from './evaluate.ts';
import { readLines } from './lines.ts';
import type { Command } from './protocol.ts';
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

/** Serves the pairs of the `selectors` bench. */
export async function servePairs<Given>(create: CreatePair<Given>): Promise<void> {
  let pairs = new Pairs<Given>([]);
  await serve((command: Command) => {
    switch (command.do) {
      case 'pairs':
        pairs = new Pairs(
          readLines(command.file).map((line) => create(...(JSON.parse(line) as Parameters<typeof create>))),
        );
        return { questions: pairs.count };
      case 'evaluate':
        return evaluate(pairs, command.milliseconds);
      default:
        throw new Error(`unknown command ${command.do}`);
    }
  });
}

class Pairs<Given> implements Questions {
  readonly #pairs: readonly Pair<Given>[];

  constructor(pairs: readonly Pair<Given>[]) {
    this.#pairs = pairs;
  }

  get count(): number {
    return this.#pairs.length;
  }

  ask(): number {
    let hits = 0;
    for (const { selector, labels } of this.#pairs) if (selector.matches(labels)) hits++;
    return hits;
  }

  visit(match: (question: number) => void): void {
    for (const [at, { selector, labels }] of this.#pairs.entries()) if (selector.matches(labels)) match(at);
  }
}

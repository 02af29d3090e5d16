import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Case, Cases } from './cases.ts';
import { answerOfNodes } from './node-answer.ts';
import { NodeCases } from './node-cases.ts';
import { type Answer, askOracle, buildOracle } from './oracle.ts';
import { answer } from './our-answer.ts';

/** `SELECTOR_CASES=1000000 npm run test:conformance` compares a million; `SELECTOR_SEED` compares others. */
const CASES = Number(process.env.SELECTOR_CASES ?? 100_000);
const NODE_CASES = Math.ceil(CASES / 5);
const SEED = Number(process.env.SELECTOR_SEED ?? 1);
const BATCH = 10_000;
const BUILD_TIMEOUT = 300_000;
const TIMEOUT = 60_000 + CASES;

describe("Winnow's selectors, compared with Kubernetes’ own packages", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow's selectors answer ${CASES} cases from seed ${SEED} as k8s.io/apimachinery does`,
    () => {
      const cases = new Cases(SEED);
      const tally = new Tally();
      for (const batch of batches(CASES, () => cases.next())) {
        for (const [at, theirs] of askOracle(batch).entries()) {
          const asked = batch[at] as Case;
          expectSame(asked, comparable(asked, answer(asked)), comparable(asked, theirs));
          tally.add(theirs.refused, theirs.matches ?? []);
        }
      }
      expect(tally.least).toBeGreaterThan(CASES / 20);
    },
    TIMEOUT,
  );

  it(
    `Winnow's node selectors answer ${NODE_CASES} cases from seed ${SEED} as k8s.io/component-helpers does`,
    () => {
      const cases = new NodeCases(SEED);
      const tally = new Tally();
      for (const batch of batches(NODE_CASES, () => cases.next())) {
        for (const [at, theirs] of askOracle(batch).entries()) {
          const asked = batch[at] as (typeof batch)[number];
          expectSame(asked, answerOfNodes(asked), theirs);
          tally.add(theirs.error !== '', theirs.matches);
        }
      }
      expect(tally.least).toBeGreaterThan(NODE_CASES / 20);
    },
    TIMEOUT,
  );
});

/** Counts the kinds of answers. A comparison shows little if nearly all are refused, or nothing matches. */
class Tally {
  readonly #counts = { accepted: 0, refused: 0, matched: 0, unmatched: 0 };

  add(refused: boolean, matches: readonly boolean[]): void {
    this.#counts[refused ? 'refused' : 'accepted']++;
    for (const matched of matches) this.#counts[matched ? 'matched' : 'unmatched']++;
  }

  /** The count of the rarest kind of answer. */
  get least(): number {
    return Math.min(...Object.values(this.#counts));
  }
}

function* batches<T>(count: number, create: () => T): Generator<T[]> {
  for (let done = 0; done < count; done += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - done) }, create);
  }
}

/** Compares without `expect` first, which would take minutes for a million cases. */
function expectSame(asked: object, ours: object, theirs: object): void {
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    expect({ asked, ...ours }).toEqual({ asked, ...theirs });
  }
}

/** An answer without the part that Go leaves to chance: the message if it iterates over a map of several labels. */
function comparable(asked: Case, told: Answer): Record<keyof Answer, unknown> {
  const { refused, error, text, empty, requirements, matches, fieldErrors, nameErrors } = told;
  return {
    refused,
    error: visitsMap(asked) ? '' : error,
    text,
    empty,
    requirements,
    matches,
    fieldErrors,
    nameErrors,
  };
}

function visitsMap(asked: Case): boolean {
  if (asked.kind === 'map') return true;
  return asked.kind === 'object' && Object.keys(asked.selector?.matchLabels ?? {}).length > 1;
}

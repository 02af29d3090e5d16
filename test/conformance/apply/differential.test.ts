import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonValue } from '../../../lib/json/index.ts';
import { loadFields } from '../../../lib/kubernetes/fields/index.ts';
import { askOracle, buildOracle } from './oracle.ts';
import { type Answer, answer, type Owner } from './our-answer.ts';
import { Stories } from './stories.ts';

/** `APPLY_CASES=200000 npm run test:conformance` compares that many stories; `APPLY_SEED` compares others. */
const CASES = Number(process.env.APPLY_CASES ?? 20_000);
const SEED = Number(process.env.APPLY_SEED ?? 1);
const BATCH = 1_000;
const BUILD_TIMEOUT = 300_000;
const TIMEOUT = 60_000 + 30 * CASES;

describe("Winnow's apply, compared with structured-merge-diff and the field manager of Kubernetes", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow ends ${CASES} stories of applies and updates from seed ${SEED} as Kubernetes does`,
    async () => {
      const stories = new Stories(SEED, await loadFields());
      const tally = new Tally();
      for (let done = 0; done < CASES; done += BATCH) {
        const told = Array.from({ length: Math.min(BATCH, CASES - done) }, () => stories.next());
        for (const [at, theirs] of askOracle(told.map(({ story }) => story)).entries()) {
          const { story, shape } = told[at] as (typeof told)[number];
          for (const [step, ours] of answer(story, shape).entries()) {
            const other = theirs[step] as Answer;
            expectSame({ story, step }, comparable(ours), comparable(other));
            tally.add(other);
          }
        }
      }
      expect(tally.least).toBeGreaterThan(CASES / 20);
    },
    TIMEOUT,
  );
});

/** Counts the kinds of answers. A comparison shows little if nearly all steps are refused, or none conflicts. */
class Tally {
  readonly #counts = { written: 0, conflicted: 0, refused: 0, shared: 0 };

  add({ error, causes, owners }: Answer): void {
    if (error === '') {
      this.#counts.written++;
    } else if (causes.length > 0) {
      this.#counts.conflicted++;
    } else {
      this.#counts.refused++;
    }
    if (owners.length > 1) this.#counts.shared++;
  }

  /** The count of the rarest kind of answer. */
  get least(): number {
    return Math.min(...Object.values(this.#counts));
  }
}

/** Compares without `expect` first, which would take minutes for so many steps. */
function expectSame(asked: object, ours: object, theirs: object): void {
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    expect({ asked, ...ours }).toEqual({ asked, ...theirs });
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
  }
}

/**
 * An answer without the parts that Go leaves to chance or to the clock:
 * - the order of managers in causes, and of keys;
 * - which of several unknown fields comes first;
 * - the order of entries written in different seconds.
 */
function comparable({ error, causes, object, owners }: Answer): object {
  return {
    error: typeErrorWithoutChance(error),
    causes: [...causes].sort(),
    object: sorted(object),
    owners: [...owners].sort((a, b) => (identity(a) < identity(b) ? -1 : 1)),
  };
}

function identity({ timed, operation, manager, apiVersion, subresource }: Owner): string {
  return JSON.stringify([operation, timed, manager, apiVersion, subresource]);
}

function typeErrorWithoutChance(error: string): string {
  const typed = error.startsWith('failed to create typed patch object');
  return typed && /declared in schema|errors:/.test(error) ? 'several or undeclared' : error;
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

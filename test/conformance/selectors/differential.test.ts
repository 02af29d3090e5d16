import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Case, Cases } from './cases.ts';
import { type Answer, askOracle, buildOracle } from './oracle.ts';
import { answer } from './our-answer.ts';

/** `SELECTOR_CASES=1000000 npm run test:conformance` compares a million; `SELECTOR_SEED` compares others. */
const CASES = Number(process.env.SELECTOR_CASES ?? 100_000);
const SEED = Number(process.env.SELECTOR_SEED ?? 1);
const BATCH = 10_000;
const BUILD_TIMEOUT = 300_000;
const TIMEOUT = 60_000 + CASES;

describe('selectors, beside k8s.io/apimachinery', () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `answer ${CASES} cases from seed ${SEED} as Kubernetes does`,
    () => {
      const cases = new Cases(SEED);
      const seen = { accepted: 0, refused: 0, matched: 0, unmatched: 0 };
      for (let done = 0; done < CASES; done += BATCH) {
        const batch = Array.from({ length: Math.min(BATCH, CASES - done) }, () => cases.next());
        for (const [at, theirs] of askOracle(batch).entries()) {
          compare(batch[at] as Case, theirs);
          count(seen, theirs);
        }
      }
      // A comparison says little where nearly everything is refused, or nothing matches.
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(CASES / 20);
    },
    TIMEOUT,
  );
});

function compare(asked: Case, theirs: Answer): void {
  const expected = comparable(asked, theirs);
  const received = comparable(asked, answer(asked));
  // `expect` for each of a million cases would take minutes.
  if (JSON.stringify(received) !== JSON.stringify(expected))
    expect({ asked, ...received }).toEqual({ asked, ...expected });
}

/** Without what Go leaves to chance: the message where it visits a map of several labels. */
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

function count(
  seen: { accepted: number; refused: number; matched: number; unmatched: number },
  told: Answer,
): void {
  if (told.refused) seen.refused++;
  else seen.accepted++;
  for (const matched of told.matches ?? []) {
    if (matched) seen.matched++;
    else seen.unmatched++;
  }
}

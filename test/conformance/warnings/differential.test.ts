import { beforeAll, describe, expect, it } from '@jest/globals';
import { warningsOf } from '../../../lib/kubernetes/validation/warnings/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';
import { Objects } from './objects.ts';

/** `WARNING_CASES=200000 npm run test:conformance -- warnings` compares that many; `WARNING_SEED` compares others. */
const CASES = Number(process.env.WARNING_CASES ?? 20_000);
const SEED = Number(process.env.WARNING_SEED ?? 1);
const BATCH = 2_000;
const BUILD_TIMEOUT = 600_000;
const TIMEOUT = 60_000 + 30 * CASES;

const oracle = new GoOracle('warnings');

describe("Winnow's warnings, compared with those of Kubernetes", () => {
  beforeAll(() => oracle.build(), BUILD_TIMEOUT);

  it(
    `Winnow warns of ${CASES} objects from seed ${SEED} as Kubernetes does`,
    () => {
      const objects = new Objects(SEED);
      let warned = 0;
      for (let done = 0; done < CASES; done += BATCH) {
        const questions = Array.from({ length: BATCH }, () => objects.next());
        for (const [at, answer] of oracle.ask(questions).entries()) {
          const { kind, body } = questions[at] as (typeof questions)[number];
          const theirs = (answer as string[]).toSorted();
          const ours = warningsOf(kind, { body }).toSorted();
          warned += theirs.length;
          // Compares without `expect` first, which would take minutes for so many objects.
          if (ours.join('\n') !== theirs.join('\n')) {
            expect({ kind, body, ours }).toEqual({ kind, body, ours: theirs });
          }
        }
      }
      expect(warned).toBeGreaterThan(CASES);
    },
    TIMEOUT,
  );
});

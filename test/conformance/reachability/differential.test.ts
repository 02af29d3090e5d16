import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { asked } from '../harness/asked.ts';
import { askOracle, buildOracle } from './oracle.ts';
import { type Answer, answersOf } from './our-answer.ts';
import { recording } from './recording.ts';
import { type World, Worlds } from './worlds.ts';

/**
 * `REACHABILITY_CASES=100000 npm run test:conformance -- reachability` compares that many worlds; `REACHABILITY_SEED`
 * compares others. `REACHABILITY_RECORD=1` writes the recording that `npm test` replays.
 */
const CASES = Number(process.env.REACHABILITY_CASES ?? 5000);
const SEED = Number(process.env.REACHABILITY_SEED ?? 1);
const RECORDED = { seed: 2026, worlds: 60 };
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 60_000 + 100 * CASES;

describe("Winnow's reachability, compared with cyclonus", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow decides the connections of ${CASES} worlds from seed ${SEED} as cyclonus does`,
    () => {
      const worlds = new Worlds(SEED);
      const tally = new Map<string, number>();
      for (const [world, theirs] of asked({ cases: CASES, next: () => worlds.next(), ask: askOracle })) {
        expectSame(world, answersOf(world), theirs);
        count(theirs, tally);
      }
      // A comparison shows little about answers that never occur.
      expect([...tally.keys()].toSorted()).toEqual(KINDS);
      expect(Math.min(...tally.values())).toBeGreaterThan(CASES / 10);
    },
    TIMEOUT,
  );

  it("The recording that npm test replays equals the oracle's answers", () => {
    const worlds = new Worlds(RECORDED.seed);
    const answered = asked({ cases: RECORDED.worlds, next: () => worlds.next(), ask: askOracle });
    const recorded = [...answered].map(([world, answers]) => ({ world, answers }));
    if (process.env.REACHABILITY_RECORD !== undefined) recording.write(recorded);
    expect(recording.read()).toEqual(JSON.parse(JSON.stringify(recorded)));
  });
});

const KINDS = ['egress', 'ingress'].flatMap((side) => [
  `${side} Allowed, a rule, isolated`,
  `${side} Allowed, no rule, not isolated`,
  `${side} Denied, no rule, isolated`,
]);

function count(answers: readonly Answer[], tally: Map<string, number>): void {
  for (const answer of answers) {
    for (const side of ['egress', 'ingress'] as const) {
      const { decision, selectedBy, rule } = answer[side];
      const isolated = selectedBy.length > 0 ? 'isolated' : 'not isolated';
      const kind = `${side} ${decision}, ${rule ? 'a' : 'no'} rule, ${isolated}`;
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
    }
  }
}

/** Compares without `expect` first, which would take minutes for so many answers. */
function expectSame(world: World, ours: readonly Answer[], theirs: readonly Answer[]): void {
  for (const [at, asked] of world.asked.entries()) {
    if (!isDeepStrictEqual(ours[at], theirs[at])) {
      expect({ asked, world, ...ours[at] }).toEqual({ asked, world, ...theirs[at] });
    }
  }
}

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { asked } from '../harness/asked.ts';
import { askOracle, buildOracle } from './oracle.ts';
import { type Answers, answersOf } from './our-answer.ts';
import { recording } from './recording.ts';
import { Worlds } from './worlds.ts';

/**
 * `RBAC_CASES=100000 npm run test:conformance -- rbac` compares that many policies; `RBAC_SEED` compares others.
 * `RBAC_RECORD=1` writes the recording that `npm test` replays.
 */
const CASES = Number(process.env.RBAC_CASES ?? 5000);
const SEED = Number(process.env.RBAC_SEED ?? 1);
const RECORDED = { seed: 2026, worlds: 40 };
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 60_000 + 100 * CASES;

describe("Winnow's RBAC, compared with Kubernetes’ RBAC authorizer", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow decides twenty requests to each of ${CASES} policies from seed ${SEED} as Kubernetes does`,
    () => {
      const worlds = new Worlds(SEED);
      const tally = new Map<string, number>();
      for (const [world, theirs] of asked({ cases: CASES, next: () => worlds.next(), ask: askOracle })) {
        // `expect` for each of many answers would take minutes.
        const ours = answersOf(world);
        if (!isDeepStrictEqual(ours, theirs)) expect({ world, ...ours }).toEqual({ world, ...theirs });
        count(theirs, tally);
      }
      // A comparison shows little about answers that never occur.
      expect([...tally.keys()].toSorted()).toEqual(KINDS);
      expect(Math.min(...tally.values())).toBeGreaterThan(CASES / 50);
    },
    TIMEOUT,
  );

  it("The recording that npm test replays equals the oracle's answers", () => {
    const worlds = new Worlds(RECORDED.seed);
    const answered = asked({ cases: RECORDED.worlds, next: () => worlds.next(), ask: askOracle });
    const recorded = [...answered].map(([world, answers]) => ({ world, answers }));
    if (process.env.RBAC_RECORD !== undefined) recording.write(recorded);
    expect(recording.read()).toEqual(JSON.parse(JSON.stringify(recorded)));
  });
});

const KINDS = [
  'allowed by ClusterRoleBinding',
  'allowed by RoleBinding',
  'allowed to the privileged',
  'handed on',
  'not allowed',
  'not allowed, a role is missing',
  'not handed on',
  'not handed on, a role is missing',
];

function count({ decisions, escalations }: Answers, tally: Map<string, number>): void {
  const add = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  for (const { allowed, reason } of decisions) {
    const by = /^RBAC: (allowed by \w+)/.exec(reason)?.[1];
    if (allowed) add(by ?? 'allowed to the privileged');
    if (!allowed) add(reason === '' ? 'not allowed' : 'not allowed, a role is missing');
  }
  for (const why of escalations) {
    const missing = why.includes('resolution errors') ? ', a role is missing' : '';
    add(why === '' ? 'handed on' : `not handed on${missing}`);
  }
}

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { asked } from '../harness/asked.ts';
import { type Answer, answerOf, derived } from './answer.ts';
import { askOracle, buildOracle } from './oracle.ts';
import { recording } from './recording.ts';
import { CROWDED, STEPS, Worlds } from './worlds.ts';

/**
 * `ENDPOINTS_CASES=1000 npm run test:conformance -- endpoints` compares that many worlds; `ENDPOINTS_SEED` compares
 * others. `ENDPOINTS_RECORD=1` writes the recording that `npm test` replays.
 */
const CASES = Number(process.env.ENDPOINTS_CASES ?? 200);
const SEED = Number(process.env.ENDPOINTS_SEED ?? 1);
const RECORDED = { seed: 2026, worlds: 20 };
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 60_000 + 1000 * CASES;

describe("Winnow's endpoints, compared with Kubernetes’ reconciler of EndpointSlices and its controller of Endpoints", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow steps through ${CASES} worlds from seed ${SEED} as Kubernetes does`,
    () => {
      const worlds = new Worlds(SEED);
      const tally = new Map<string, number>();
      const steps = { cases: CASES * STEPS, next: () => worlds.next(), ask: askOracle };
      for (const [question, theirs] of asked(steps)) {
        // `expect` for each of many answers would take minutes.
        const ours = answerOf(derived(question), question);
        if (!isDeepStrictEqual(ours, theirs)) expect({ question, ...ours }).toEqual({ question, ...theirs });
        count(theirs, tally);
      }
      // A comparison shows little about answers that never occur.
      expect([...tally.keys()].toSorted()).toEqual(KINDS);
      expect(Math.min(...tally.values())).toBeGreaterThanOrEqual(CASES / CROWDED);
    },
    TIMEOUT,
  );

  it("The recording that npm test replays equals the oracle's answers", () => {
    const worlds = new Worlds(RECORDED.seed);
    const steps = { cases: RECORDED.worlds * STEPS, next: () => worlds.next(), ask: askOracle };
    const recorded = [...asked(steps)].map(([question, answer]) => ({ question, answer }));
    if (process.env.ENDPOINTS_RECORD !== undefined) recording.write(recorded);
    expect(recording.read()).toEqual(JSON.parse(JSON.stringify(recorded)));
  });
});

const KINDS = [
  'Endpoints are cut',
  'Endpoints create',
  'Endpoints update',
  'a slice has hints',
  'a slice has no endpoints',
  'nothing is written',
  'slices create',
  'slices delete',
  'slices update',
];

function count({ slices, endpoints }: Answer, tally: Map<string, number>): void {
  const said = { create: 0, update: 0, delete: 0 };
  const add = (kind: string, is: boolean) => is && tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const text = JSON.stringify(slices);
  for (const change of ['create', 'update', 'delete'] as const) {
    said[change] = slices[change].length + endpoints[change].length;
    add(`slices ${change}`, slices[change].length > 0);
    add(`Endpoints ${change}`, endpoints[change].length > 0);
  }
  add('nothing is written', said.create + said.update + said.delete === 0);
  add('a slice has hints', text.includes('forZones'));
  add('a slice has no endpoints', text.includes('"endpoints":[]'));
  add('Endpoints are cut', JSON.stringify(endpoints).includes('over-capacity'));
}

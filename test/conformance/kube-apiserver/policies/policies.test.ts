import { beforeAll, describe, expect, it } from '@jest/globals';
import { GoOracle } from '../../harness/go-oracle.ts';
import { type Answers, playHere, type Verdict } from './ours.ts';
import { questionOf, type Scene, sceneOf, WRITES } from './scenes.ts';

/** `SEED=7 POLICY_CASES=20000 npm run test:conformance -- kube-apiserver/policies` compares others. */
const CASES = Number(process.env.POLICY_CASES ?? 5_000);
const SEED = Number(process.env.SEED ?? 1);
const BATCH = 50;
const SCENES_OF_A_SEED = 1_000_000;
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 120_000 + 100 * CASES;

/** What a run must have met, so that the scenes cannot become empty without notice. */
interface Counts {
  denied: number;
  admitted: number;
  warned: number;
  annotated: number;
  refused: number;
}

const oracle = new GoOracle('kube-apiserver/policies');

describe('Verdicts of admission policies, compared with the admission plugin of Kubernetes', () => {
  beforeAll(() => oracle.build(), BUILD_TIMEOUT);

  it(
    `${CASES} writes from seed ${SEED} get the code, reason, message, warnings and audit annotations of Kubernetes`,
    async () => {
      const counts: Counts = { denied: 0, admitted: 0, warned: 0, annotated: 0, refused: 0 };
      const scenes = Math.ceil(CASES / WRITES);
      for (let from = 0; from < scenes; from += BATCH) {
        const seeds = Array.from(
          { length: Math.min(BATCH, scenes - from) },
          (_, at) => SEED * SCENES_OF_A_SEED + from + at,
        );
        const played = seeds.map(sceneOf);
        const theirs = oracle.ask(played.map(questionOf)) as Answers[];
        for (const [at, scene] of played.entries()) {
          const ours = comparable(await playHere(scene));
          compare(scene, ours, comparable(theirs[at] as Answers), `seed ${seeds[at]}`);
          count(counts, ours);
        }
      }
      console.log(`${scenes * WRITES} writes: ${JSON.stringify(counts)}`);
      for (const number of Object.values(counts)) expect(number).toBeGreaterThan(CASES / 200);
    },
    TIMEOUT,
  );
});

function compare(scene: Scene, ours: Answers, theirs: Answers, seed: string): void {
  const { policies, bindings, namespaces, params } = scene;
  expect({ seed, policies: ours.policies, bindings: ours.bindings }).toEqual({
    seed,
    policies: theirs.policies,
    bindings: theirs.bindings,
  });
  for (const [at, write] of scene.writes.entries()) {
    // Compares without `expect` first, which would take long for so many writes.
    if (JSON.stringify(ours.writes[at]) === JSON.stringify(theirs.writes[at])) continue;
    const shown = { seed, write, policies, bindings, namespaces, params };
    expect({ ...shown, verdict: ours.writes[at] }).toEqual({ ...shown, verdict: theirs.writes[at] });
  }
}

function count(counts: Counts, { policies, bindings, writes }: Answers): void {
  const many = (isSo: (verdict: Verdict) => boolean) => writes.filter(isSo).length;
  counts.denied += many(({ status }) => status !== null);
  counts.admitted += many(({ status }) => status === null);
  counts.warned += many(({ warnings }) => warnings.length > 0);
  counts.annotated += many(({ annotations }) => Object.keys(annotations ?? {}).length > 0);
  counts.refused += [...policies, ...bindings].filter((message) => message !== '').length;
}

/** Returns what both servers say in one order of keys. */
function comparable({ writes, ...refusals }: Answers): Answers {
  return { ...refusals, writes: writes.map(comparableVerdict) };
}

function comparableVerdict({ status, warnings, annotations }: Verdict): Verdict {
  const { code = null, reason = null, message = null, details = null } = status ?? {};
  return {
    status: status && { code, reason, message, details: JSON.parse(sorted(details)) },
    // Winnow's headers are ASCII: other characters are question marks.
    warnings: warnings
      .filter((text) => text.includes('ValidatingAdmissionPolicy'))
      .map((text) => text.replace(/[^ -~]/gu, '?')),
    annotations: JSON.parse(sorted(annotations ?? {})),
  };
}

/** Returns JSON with sorted keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

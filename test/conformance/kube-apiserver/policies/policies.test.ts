import { beforeAll, describe, expect, it } from '@jest/globals';
import { GoOracle } from '../../harness/go-oracle.ts';
import { type Answers, checkTypesHere, playHere, type TypeWarning, type Verdict } from './ours.ts';
import { questionOf, type Scene, sceneOf, WRITES } from './scenes.ts';
import { TYPED_POLICIES, typedSceneOf } from './typed-policies.ts';

/** `SEED=7 POLICY_CASES=20000 npm run test:conformance -- kube-apiserver/policies` compares others. */
const CASES = Number(process.env.POLICY_CASES ?? 5_000);
const SEED = Number(process.env.SEED ?? 1);
const BATCH = 50;
/** One policy is type-checked for so many writes. */
const TYPED_PART = 10;
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

describe('Admission policies, compared with the packages of kube-apiserver', () => {
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

  it(
    `${CASES / TYPED_PART} policies from seed ${SEED} get the warnings of Kubernetes about the types of custom kinds`,
    async () => {
      const scenes = Math.ceil(CASES / TYPED_PART / TYPED_POLICIES);
      const seeds = Array.from({ length: scenes }, (_, at) => SEED * SCENES_OF_A_SEED + at);
      const typed = seeds.map(typedSceneOf);
      const theirs = oracle.ask(typed) as { readonly warnings: TypeWarning[][] }[];
      let warned = 0;
      for (const [at, scene] of typed.entries()) {
        const expected = theirs[at]?.warnings.map((each) => each.map(withoutNumbers));
        const warnings = await checkTypesHere(scene);
        expect({ seed: seeds[at], scene, warnings }).toEqual({ seed: seeds[at], scene, warnings: expected });
        warned += warnings.filter(({ length }) => length > 0).length;
      }
      expect(warned).toBeGreaterThan(scenes);
    },
    TIMEOUT,
  );
});

/** Kubernetes adds a number from the clock to the names of the types. */
function withoutNumbers({ fieldRef, warning }: TypeWarning): TypeWarning {
  return { fieldRef, warning: warning.replace(/\b(Thing|Limit)\d+/g, '$1') };
}

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

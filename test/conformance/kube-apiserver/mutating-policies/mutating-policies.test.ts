import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { GoOracle } from '../../harness/go-oracle.ts';
import { type Outcome, playHere } from './ours.ts';
import { type Scene, sceneOf, WRITES } from './scenes.ts';

/** `SEED=7 POLICY_CASES=20000 npm run test:conformance -- kube-apiserver/mutating-policies` compares others. */
const CASES = Number(process.env.POLICY_CASES ?? 5_000);
const SEED = Number(process.env.SEED ?? 1);
const BATCH = 50;
const SCENES_OF_A_SEED = 1_000_000;
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 120_000 + 100 * CASES;

const oracle = new GoOracle('kube-apiserver/mutating-policies');

describe('Mutating policies, compared with the package of kube-apiserver', () => {
  beforeAll(() => oracle.build(), BUILD_TIMEOUT);

  it(
    `${CASES} writes from seed ${SEED} become the objects of Kubernetes, or are denied with its messages`,
    async () => {
      const counts = { changed: 0, denied: 0, ended: 0, kept: 0 };
      const scenes = Math.ceil(CASES / WRITES);
      for (let from = 0; from < scenes; from += BATCH) {
        const seeds = Array.from(
          { length: Math.min(BATCH, scenes - from) },
          (_, at) => SEED * SCENES_OF_A_SEED + from + at,
        );
        const played = seeds.map(sceneOf);
        const theirs = oracle.ask(played) as { readonly writes: readonly TheirOutcome[] }[];
        for (const [at, scene] of played.entries()) {
          const ours = await playHere(scene);
          for (const [which, write] of scene.writes.entries()) {
            const outcome = comparable(ours[which] ?? NOTHING);
            const expected = comparable(inOurForm(theirs[at]?.writes[which]));
            compare(scene, which, { outcome, expected, seed: seeds[at] ?? 0 });
            if (outcome.status === null) {
              const before = comparable({ object: write.object, status: null });
              counts[JSON.stringify(before.object) === JSON.stringify(outcome.object) ? 'kept' : 'changed'] +=
                1;
            } else {
              counts[outcome.status.code === 500 ? 'ended' : 'denied'] += 1;
            }
          }
        }
      }
      console.log(`${scenes * WRITES} writes: ${JSON.stringify(counts)}`);
      for (const number of Object.values(counts)) expect(number).toBeGreaterThan(CASES / 200);
    },
    TIMEOUT,
  );
});

const NOTHING: Outcome = { object: null, status: null };

interface TheirOutcome {
  readonly object: JsonObject | null;
  readonly status: {
    code: number;
    reason: string;
    message: string;
    details?: { causes?: { message: string }[] };
  } | null;
}

function inOurForm({ object, status }: TheirOutcome = { object: null, status: null }): Outcome {
  if (status === null) return { object, status: null };
  const { code, reason, message, details } = status;
  const causes = (details?.causes ?? []).map((cause) => cause.message);
  return { object: null, status: { code, reason, messages: code === 403 ? causes : [message] } };
}

interface Compared {
  readonly outcome: Outcome;
  readonly expected: Outcome;
  readonly seed: number;
}

function compare({ writes, ...scene }: Scene, which: number, { outcome, expected, seed }: Compared): void {
  // Compares without `expect` first, which would take long for so many writes.
  if (JSON.stringify(outcome) === JSON.stringify(expected)) return;
  const shown = { seed, write: writes[which], ...scene };
  expect({ ...shown, outcome }).toEqual({ ...shown, outcome: expected });
}

/** Returns an outcome in one order of keys, without what Go leaves out or writes although it is empty. */
function comparable({ object, status }: Outcome): Outcome {
  if (status === null) return { object: withoutEmpty(object) as JsonObject | null, status: null };
  const { code = null, reason = null, messages = [] } = status;
  return {
    object: null,
    status: { code, reason, messages: (messages as string[]).map(comparableMessage) },
  };
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .map(([key, each]) => [key, withoutEmpty(each)] as const)
    .filter(([, each]) => each !== null && JSON.stringify(each) !== '{}' && JSON.stringify(each) !== '[]');
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The messages of JSON patches that do not apply, and of values with wrong types, are Winnow's own. Kubernetes reads
 * the entries of maps in random order, and stops at the first field that is not declared.
 */
function comparableMessage(message: string): string {
  return message
    .replace(/JSON Patch: .*/s, 'JSON Patch')
    .replace(/unable to convert.*/s, 'unable to convert')
    .replace(
      /(may not mutate atomic arrays, maps or structs: )(.*)/s,
      (_, what, paths) => what + ordered(paths, ', '),
    )
    .replace(/(to typed object: )(.*)/s, (_, what, errors) => what + ordered(errors, '\n'))
    .replace(/(to typed object: ).*not declared in schema.*/s, '$1undeclared')
    .replace(/(type mismatch: )(.*)/s, (_, what, errors) => what + ordered(errors, '\n'))
    .replace(/(strict decoding error: )(.*)/s, (_, what, errors) => what + ordered(errors, ', '))
    .replace(/^Internal error occurred: (?!strict).*/s, 'Internal error occurred');
}

function ordered(text: string, separator: string): string {
  return text.split(separator).toSorted().join(separator);
}

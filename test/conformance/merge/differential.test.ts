import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/index.ts';
import { loadFields, type Message } from '../../../lib/kubernetes/fields/index.ts';
import { applyPatch, PatchFailedError, PatchSyntaxError } from '../../../lib/kubernetes/patch/index.ts';
import { type Question, Questions } from './cases.ts';
import { askOracle, buildOracle } from './oracle.ts';

/** `MERGE_CASES=200000 npm run test:conformance -- merge` compares that many patches; `MERGE_SEED` compares others. */
const CASES = Number(process.env.MERGE_CASES ?? 20_000);
const SEED = Number(process.env.MERGE_SEED ?? 1);
const BATCH = 1_000;
const BUILD_TIMEOUT = 300_000;
const TIMEOUT = 60_000 + 30 * CASES;
const NOTHING_TO_ORDER = 'no elements in any of the given slices';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';

describe("Winnow's merge, compared with the strategic merge package of Kubernetes", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow merges ${CASES} patches from seed ${SEED} as Kubernetes does`,
    async () => {
      const questions = new Questions(SEED, await loadFields());
      const counts = { merged: 0, refused: 0, directed: 0 };
      for (let done = 0; done < CASES; ) {
        const asked = Array.from({ length: BATCH }, () => questions.next());
        for (const [at, { patch, result, error }] of askOracle(asked.map((one) => one.question)).entries()) {
          // The package makes no patch of some objects. It also fails to order two empty lists, which is a 500 in
          // Kubernetes.
          if (patch === null || error === NOTHING_TO_ORDER || done === CASES) continue;
          const { question, message } = asked[at] as (typeof asked)[number];
          expectSame({ ...question, patch, error }, merged(question, patch, message), comparable(result));
          done++;
          counts[error === '' ? 'merged' : 'refused']++;
          if (JSON.stringify(patch).includes('"$')) counts.directed++;
        }
      }
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(CASES / 50);
    },
    TIMEOUT,
  );
});

/** The merged object as text; undefined if Winnow refuses the patch. */
function merged({ live }: Question, patch: JsonObject, message: Message): string | undefined {
  try {
    const result = applyPatch({
      contentType: STRATEGIC_MERGE_PATCH,
      patch: new TextEncoder().encode(JSON.stringify(patch)),
      target: live,
      type: { builtin: true },
      message,
    });
    return comparable(result);
  } catch (error) {
    if (error instanceof PatchFailedError || error instanceof PatchSyntaxError) return undefined;
    throw error;
  }
}

/** Compares without `expect` first, which would take minutes for so many patches. */
function expectSame(asked: object, ours: string | undefined, theirs: string | undefined): void {
  if (ours !== theirs) expect({ asked, merged: parsed(ours) }).toEqual({ asked, merged: parsed(theirs) });
}

function parsed(text: string | undefined): JsonValue {
  return text === undefined ? 'refused' : JSON.parse(text);
}

/**
 * A result without the parts that Kubernetes' typed decoding repairs: nulls and directives that the package leaves,
 * and a kind that it removed. The package also leaves parts of an element to delete if there was no list; Winnow
 * removes them.
 */
function comparable(result: JsonObject | null): string | undefined {
  if (result === null) return undefined;
  const { apiVersion, kind, ...content } = result;
  return JSON.stringify(cleaned(content));
}

function cleaned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => !isDeleted(item)).map(cleaned);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null && !name.startsWith('$') && !isDeleted(member))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, cleaned(member)]),
  );
}

function isDeleted(value: JsonValue): boolean {
  if (!isJsonObject(value) || value.$patch === undefined) return false;
  return value.$patch === 'delete' || Object.keys(value).length === 1;
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileSchema, type MetadataRules } from '../../../lib/kubernetes/schemas/index.ts';
import { loadPatterns } from '../../../lib/kubernetes/schemas/patterns.ts';
import { validateStructural } from '../../../lib/kubernetes/schemas/validate-structural.ts';
import { type FieldError, formatFieldError } from '../../../lib/selectors/index.ts';
import { question } from './arbitrary-schemas.ts';
import { type Answer, askOracle, buildOracle, type Question } from './oracle.ts';

/** `SCHEMA_CASES=20000 npm run test:conformance` compares that many schemas; `SCHEMA_SEED` compares others. */
const CASES = Number(process.env.SCHEMA_CASES ?? 3_000);
const SEED = Number(process.env.SCHEMA_SEED ?? 1);
const BUILD_TIMEOUT = 600_000;
const TIMEOUT = 60_000 + 30 * CASES;
/** Rules without effect: these schemas embed no resources. */
const METADATA: MetadataRules = { read: (metadata) => metadata, check: () => [] };

describe("Winnow's schemas, compared with those of k8s.io/apiextensions-apiserver", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow judges ${CASES} schemas from seed ${SEED}, and four objects of each, as Kubernetes does`,
    async () => {
      const questions = fc.sample(question, { numRuns: CASES, seed: SEED });
      const tally = { refused: 0, invalid: 0, valid: 0 };
      for (const [at, theirs] of askOracle(questions).entries()) {
        const asked = questions[at] as Question;
        expectSame(asked, comparable(await ourAnswer(asked)), comparable(theirs));
        if (theirs.structural.length > 0) tally.refused++;
        for (const { errors } of theirs.judged) tally[errors.length > 0 ? 'invalid' : 'valid']++;
      }
      expect(Math.min(...Object.values(tally))).toBeGreaterThan(CASES / 20);
    },
    TIMEOUT,
  );
});

async function ourAnswer({ schema, values }: Question): Promise<Answer> {
  const structural = texts(validateStructural(schema, 'schema', await loadPatterns()));
  if (structural.length > 0) return { structural, judged: [] };
  const compiled = await compileSchema(schema, METADATA);
  const judged = values.map((given) => {
    const { value, unknown } = compiled.shape(given);
    return { value, unknown, errors: texts(compiled.validate(value)) };
  });
  return { structural, judged };
}

function texts(errors: readonly FieldError[]): string[] {
  return errors.map(formatFieldError);
}

/** An answer with sorted errors: Go iterates over maps in no order. */
function comparable({ structural, judged }: Answer): Answer {
  return {
    structural: structural.toSorted(),
    judged: judged.map(({ value, unknown, errors }) => ({ value, unknown, errors: errors.toSorted() })),
  };
}

/** Compares two answers, and names the schema if they differ. */
function expectSame(asked: Question, ours: Answer, theirs: Answer): void {
  expect({ schema: asked.schema, ...ours }).toEqual({ schema: asked.schema, ...theirs });
}

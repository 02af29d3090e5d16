import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { objectAt } from '../../../lib/json/index.ts';
import {
  compileSchema,
  type MetadataRules,
  type Schema,
  validateDefinition,
} from '../../../lib/kubernetes/schemas/index.ts';
import { type FieldError, formatFieldError } from '../../../lib/selectors/index.ts';
import { type RuleQuestion, ruleQuestion } from './arbitrary-rules.ts';
import { askAboutRules, buildOracle, type RuleAnswer } from './oracle.ts';

/** `RULE_CASES=20000 npm run test:conformance -- schemas/rules` compares that many; `RULE_SEED` compares others. */
const CASES = Number(process.env.RULE_CASES ?? 2_000);
const SEED = Number(process.env.RULE_SEED ?? 1);
const BUILD_TIMEOUT = 600_000;
const TIMEOUT = 60_000 + 60 * CASES;
const METADATA: MetadataRules = { read: (metadata) => metadata, check: () => [] };

describe("the rules of Winnow's definitions, compared with those of k8s.io/apiextensions-apiserver", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow judges ${CASES} definitions from seed ${SEED}, and four writes of objects of each, as Kubernetes does`,
    async () => {
      const questions = fc.sample(ruleQuestion, { numRuns: CASES, seed: SEED });
      const tally = { refused: 0, created: 0, updated: 0, kept: 0, nested: 0, invalid: 0, valid: 0 };
      const different: unknown[] = [];
      for (const [at, theirs] of askAboutRules(questions).entries()) {
        const asked = questions[at] as RuleQuestion;
        const ours = await ourAnswer(asked, theirs);
        const same = JSON.stringify(comparable(ours)) === JSON.stringify(comparable(theirs));
        if (!same) different.push({ asked, ours: comparable(ours), theirs: comparable(theirs) });
        const isRefused = theirs.definition.length > 0;
        const isNested = theirs.definition.some((error) => error.includes('must be empty to be structural'));
        const isKept = !isRefused && (await validateDefinition(asked.definition, METADATA)).length > 0;
        tally.nested += Number(isNested);
        tally.kept += Number(isKept);
        tally[isRefused ? 'refused' : asked.old === undefined ? 'created' : 'updated']++;
        for (const errors of theirs.objects) tally[errors.length > 0 ? 'invalid' : 'valid']++;
      }
      expect(different.slice(0, 3)).toEqual([]);

      expect(Math.min(...Object.values(tally))).toBeGreaterThan(CASES / 300);
    },
    TIMEOUT,
  );
});

async function ourAnswer(
  { definition, old, objects }: RuleQuestion,
  theirs: RuleAnswer,
): Promise<RuleAnswer> {
  const errors = texts(await validateDefinition(definition, METADATA, old));
  if (theirs.objects.length === 0) return { definition: errors, objects: [] };
  const [version] = objectAt(definition.spec).versions as unknown as {
    schema: { openAPIV3Schema: Schema };
  }[];
  const schema = await compileSchema(version?.schema.openAPIV3Schema ?? {}, METADATA);
  const judged = objects.map(({ value, old: before }) => texts(schema.validate(value, before)));
  return { definition: errors, objects: judged };
}

function texts(errors: readonly FieldError[]): string[] {
  return errors.map(formatFieldError);
}

/** The parts of messages that differ in each process, and of which types have other names here. */
const VOLATILE = [
  /0x[0-9a-f]+/g,
  /applied to '.*?'/g,
  /\(\*[\w.]+\)\(nil\)/g,
  /\b(?:selfType\d+|self)(?:\.@?\w+)*(?=[)'])/g,
];

/**
 * An answer with sorted errors: Go iterates over maps in no order, so that it names any of the rules with the same cost.
 * Winnow does not name the function without an overload.
 */
function comparable({ definition, objects }: RuleAnswer): RuleAnswer {
  const clean = (error: string) => VOLATILE.reduce((text, part) => text.replaceAll(part, '…'), error);
  const sorted = (errors: readonly string[]) =>
    [
      ...new Set(errors.map((error) => clean(error).replace(/no such overload: \w+/, 'no such overload'))),
    ].sort();
  const own = definition.filter((error) => !/^metadata|contributed to estimated/.test(error));
  return { definition: sorted(own), objects: objects.map(sorted) };
}

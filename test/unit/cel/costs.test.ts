import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { checkNew, estimate } from '../../../lib/cel/definitions.ts';
import {
  compile,
  type Environment,
  environmentOf,
  Meter,
  type Type,
  types,
  type Value,
} from '../../../lib/cel/index.ts';
import { authorizerValue, LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import { loadPatterns, type Patterns } from '../../../lib/kubernetes/schemas/patterns.ts';

/**
 * A case of upstream's tables of costs, with the costs that Kubernetes' CEL gives it. `go run ./costs` in test/cel/oracle
 * writes them, from cel-go 0.23.2 and k8s.io/apiserver 0.33.2 (both under the Apache License 2.0).
 */
interface CostCase {
  readonly name: string;
  readonly expression: string;
  readonly types?: Readonly<Record<string, Type>>;
  /** The largest sizes of values, by their paths. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Variables, as literals of CEL. */
  readonly bindings?: Readonly<Record<string, string>>;
  readonly min: string;
  readonly max: string;
  /** The cost of the evaluation, where the table has one. */
  readonly cost?: string;
}

const CASES = gunzipSync(readFileSync(join(import.meta.dirname, 'costs.jsonl.gz')))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as CostCase);

const AUTHORIZER_TYPE = types.struct('kubernetes.authorization.Authorizer');
const ALLOWING = authorizerValue(
  { name: '', uid: '', groups: [], extra: {} },
  { check: () => ({ isAllowed: true, reason: '' }) },
);

let patterns: Patterns;
beforeAll(async () => {
  patterns = await loadPatterns();
});

test.each([...Map.groupBy(CASES, ({ name }) => name.replace(/:.*/s, ''))])(
  "the cases of upstream's table of costs have the costs that Kubernetes gives them: %s",
  (_, cases) => {
    const wrong = cases.flatMap((each) => {
      const got = costsOf(each);
      const { min, max, cost } = each;
      const wanted = { min, max, ...(cost !== undefined && { cost }) };
      return JSON.stringify(got) === JSON.stringify(wanted) ? [] : [{ ...each, got }];
    });
    expect(wrong).toEqual([]);
    expect(cases.length).toBeGreaterThan(50);
  },
);

function costsOf({ expression, types: variables = {}, sizes = {}, bindings = {}, cost }: CostCase) {
  const base = environmentOf('stored', LIBRARIES);
  const declared = Object.entries(variables).map(([name, type]) => [name, { name, type }] as const);
  const authorizer = { name: 'authorizer', type: AUTHORIZER_TYPE };
  const environment = { ...base, variables: new Map([['authorizer', authorizer], ...declared]) };
  const checked = checkNew(expression, environment, regexes);
  const { min, max } = estimate(checked, (path) => {
    const size = sizes[path.join('.')];
    return size === undefined ? undefined : BigInt(size);
  });
  const estimated = { min: String(min), max: String(max) };
  if (cost === undefined) return estimated;
  const values = new Map<string, Value>([['authorizer', ALLOWING]]);
  for (const [name, text] of Object.entries(bindings)) values.set(name, run(text, base, new Map()).value);
  return { ...estimated, cost: String(run(expression, environment, values).cost) };
}

function run(text: string, environment: Environment, values: ReadonlyMap<string, Value>) {
  const program = compile(checkNew(text, environment, regexes), { ...environment, regexes });
  const meter = new Meter({ cost: 10_000_000 });
  const value = program.evaluate((name) => values.get(name), meter);
  return { value, cost: meter.cost };
}

function regexes(pattern: string) {
  return patterns.regexOf(pattern);
}

import { expect, test } from '@jest/globals';
import { TimeExceededError } from '../../../../lib/cel/index.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { type Expressions, loadExpressions } from '../../../../lib/kubernetes/admission-policies/index.ts';
import { PatternWorkError } from '../../../../lib/kubernetes/schemas/patterns.ts';
import { denialOf, judged } from './support.ts';

const real = await loadExpressions();

const SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';
const CANCELLED = 'operation cancelled: actual cost limit exceeded';
/** Costs about 700,000 units: two checks. */
const TWO = "[1, 2].all(x, !authorizer.path('/x').check('get').allowed())";
/** Costs more than a million units: three checks. */
const THREE = "[1, 2, 3].all(x, !authorizer.path('/x').check('get').allowed())";

function times(count: number, expression: string): JsonObject[] {
  return Array.from({ length: count }, () => ({ expression }));
}

test('An expression may cost a million units', () => {
  expect(denialOf({ spec: { validations: times(1, TWO) } })).toBeUndefined();
  expect(denialOf({ spec: { validations: times(1, THREE) } })).toBe(
    `expression '${THREE}' resulted in error: ${CANCELLED}`,
  );
});

test('The validations of a binding may cost ten million units together', () => {
  expect(denialOf({ spec: { validations: times(14, TWO) } })).toBeUndefined();
  expect(denialOf({ spec: { validations: times(15, TWO) } })).toBe(SPENT);
});

test('Match conditions may cost two and a half million units together', () => {
  const conditions = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `c${at}`, expression: TWO }));
  const validations = [{ expression: 'false', message: 'evaluated' }];
  expect(denialOf({ spec: { validations, matchConditions: conditions(3) } })).toBe('evaluated');
  expect(denialOf({ spec: { validations, matchConditions: conditions(4) } })).toBe(SPENT);
  const failurePolicy = 'Ignore';
  expect(denialOf({ spec: { failurePolicy, validations, matchConditions: conditions(4) } })).toBeUndefined();
});

test('A variable has a limit of its own, and is paid once by the expression that reads it', () => {
  const variables = [{ name: 'two', expression: TWO }];
  const reads = { expression: `variables.two && ${TWO}` };
  expect(denialOf({ spec: { variables, validations: [reads] } })).toBeUndefined();
  const many = (count: number) => [...times(100, 'variables.two'), ...times(count, TWO)];
  expect(denialOf({ spec: { variables, validations: many(13) } })).toBeUndefined();
  expect(denialOf({ spec: { variables, validations: many(14) } })).toBe(SPENT);
});

test('A variable that costs too much is an error that expressions can absorb', () => {
  const variables = [{ name: 'three', expression: THREE }];
  expect(denialOf({ spec: { variables, validations: times(1, 'variables.three') } })).toBe(
    `expression 'variables.three' resulted in error: composited variable "three" fails to evaluate: ${CANCELLED}`,
  );
  expect(denialOf({ spec: { variables, validations: times(1, 'variables.three || true') } })).toBeUndefined();
});

test('Messages may cost what the validations leave; otherwise every validation fails', () => {
  const costly = {
    expression: 'true',
    messageExpression: "object.list.map(x, string(x) + string(x)).size() > 0 ? 'a' : 'b'",
  };
  const list = Array.from({ length: 3000 }, () => 'a'.repeat(1000));
  const denial = (count: number) => {
    return denialOf({ spec: { validations: [...times(count, TWO), costly] }, object: { list } });
  };
  expect(denial(13)).toBeUndefined();
  expect(denial(14)).toBe(`failed messageExpression: ${SPENT}`);
});

test('Audit annotations have the whole budget, and spend it for all validations', () => {
  const expensive = 'object.list.map(x, x + x).join("").substring(0, 1)';
  const list = Array.from({ length: 3000 }, () => 'a'.repeat(1000));
  const auditAnnotations = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ key: `k${at}`, valueExpression: expensive }));
  const validations = [...times(14, TWO), { expression: 'false', message: 'evaluated' }];
  expect(denialOf({ spec: { validations, auditAnnotations: auditAnnotations(1) }, object: { list } })).toBe(
    'evaluated',
  );
  expect(denialOf({ spec: { validations, auditAnnotations: auditAnnotations(20) }, object: { list } })).toBe(
    SPENT,
  );
});

test('An expression that takes too long says nothing about the write', () => {
  let time = 0;
  const now = () => {
    time += 2000;
    return time;
  };
  const spec = { validations: times(1, 'object.list.all(x, x == 1)') };
  const list = Array.from({ length: 5000 }, () => 1);
  expect(() => judged({ spec, object: { list }, changes: { now } })).toThrow(TimeExceededError);
  expect(judged({ spec, object: { list }, changes: { now: () => 0 } }).denial).toBeUndefined();
});

/** Expressions that may compile so many new patterns until the next refill. */
function limited(most: number): Expressions {
  const known = new Set<string>();
  let used = 0;
  return {
    regexes: (pattern) => {
      if (!known.has(pattern)) used += 1;
      if (used > most) throw new PatternWorkError();
      known.add(pattern);
      return real.regexes(pattern);
    },
    refill: () => {
      used = 0;
    },
  };
}

test('What was stored compiles, however many patterns other expressions have', () => {
  const validations = ['a', 'b', 'c'].map((each) => ({ expression: `'${each}'.matches('${each}')` }));
  expect(denialOf({ spec: { validations }, expressions: limited(2) })).toBeUndefined();
});

test('The patterns that an object brings are bounded for each write', () => {
  const validations = [{ expression: "object.patterns.all(each, 'a'.matches(each))" }];
  const expressions = limited(3);
  const denial = (...patterns: string[]) =>
    denialOf({ spec: { validations }, expressions, object: { patterns } });
  expect(denial('a', '.', 'a|b')).toBeUndefined();
  expect(denial('a+', 'a*', 'a?')).toBeUndefined();
  expect(denial('a|c', 'a|d', 'a|e', 'a|f')).toMatch(/resulted in error: cannot be matched/);
});

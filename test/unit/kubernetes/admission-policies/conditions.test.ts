import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { compileConditions, loadExpressions } from '../../../../lib/kubernetes/admission-policies/index.ts';
import { createOf, denialOf } from './support.ts';

const expressions = await loadExpressions();

function conditionsOf(...texts: readonly string[]): JsonObject[] {
  return texts.map((expression, at) => ({ name: `c${at}`, expression }));
}

const FIRST = "expression 'object.a' resulted in error: no such key: a";

const CASES: readonly (readonly [readonly string[], 'Fail' | 'Ignore', boolean | string])[] = [
  [['true', 'object.b == 1'], 'Fail', true],
  [['true', 'object.b == 2'], 'Fail', false],
  [['object.a == 1'], 'Fail', "expression 'object.a == 1' resulted in error: no such key: a"],
  [['object.a == 1'], 'Ignore', false],
  [['object.a == 1', 'false'], 'Fail', false],
  [['object.a == 1', 'false'], 'Ignore', false],
  [
    ['object.a == 1', 'object.c == 1', 'object.a == 1'],
    'Fail',
    `[${FIRST.replace("object.a'", "object.a == 1'")}, expression 'object.c == 1' resulted in error: no such key: c]`,
  ],
  [['object.a'], 'Fail', 'compilation error: must evaluate to bool but got dyn'],
];

describe('the match conditions of a policy', () => {
  test.each(CASES)('%j with the failure policy %s gives %j', (texts, failurePolicy, expected) => {
    const spec = {
      failurePolicy,
      matchConditions: conditionsOf(...texts),
      validations: [{ expression: 'false', message: 'evaluated' }],
    };
    const evaluated = expected === true ? 'evaluated' : undefined;
    expect(denialOf({ spec, object: { b: 1 } })).toBe(typeof expected === 'string' ? expected : evaluated);
  });

  test('see variables and parameters, but no namespace', () => {
    const spec = {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'one', expression: '1' }],
      matchConditions: conditionsOf('variables.one == 1', 'params == null', 'namespaceObject == null'),
      validations: [{ expression: 'namespaceObject == null', message: 'evaluated' }],
    };
    const namespaceObject = { metadata: { name: 'default' } };
    expect(denialOf({ spec, namespaceObject })).toBe('evaluated');
  });
});

describe('the match conditions of a webhook', () => {
  const matchedAs = { kind: createOf({}).kind, resource: createOf({}).resource };
  const judged = {
    attributes: createOf({ b: 1 }),
    authorizer: { check: () => ({ isAllowed: true, reason: '' }) },
    convert: (object: JsonObject) => ({ ...object, converted: true }),
  };

  test.each(CASES)('%j with the failure policy %s gives %j', (texts, failurePolicy, expected) => {
    const webhook = { failurePolicy, matchConditions: conditionsOf(...texts) };
    const result = compileConditions(webhook, expressions).evaluate(judged, matchedAs);
    expect(result).toEqual(typeof expected === 'string' ? { error: expected } : { matches: expected });
  });

  test('see the authorizer, and neither parameters nor variables', () => {
    const matchConditions = conditionsOf("authorizer.path('/x').check('get').allowed()");
    expect(compileConditions({ matchConditions }, expressions).evaluate(judged, matchedAs)).toEqual({
      matches: true,
    });
    for (const name of ['params', 'variables']) {
      const unknown = { matchConditions: conditionsOf(`${name} == null`) };
      expect(compileConditions(unknown, expressions).evaluate(judged, matchedAs)).toEqual({
        error: expect.stringContaining(`undeclared reference to '${name}'`),
      });
    }
  });

  test('see the object in the version that the rule names', () => {
    const matchConditions = conditionsOf(
      "object.converted && oldObject == null && request.kind.version == 'v2' && request.resource.version == 'v1'",
    );
    const kind = { ...matchedAs.kind, version: 'v2' };
    const resource = { ...matchedAs.resource, version: 'v2' };
    expect(compileConditions({ matchConditions }, expressions).evaluate(judged, { kind, resource })).toEqual({
      matches: true,
    });
  });
});

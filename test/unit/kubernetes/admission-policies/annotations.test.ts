import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { bindingOf, denialOf, judged, policyOf } from './support.ts';

function annotated(values: JsonObject): JsonObject {
  return {
    auditAnnotations: Object.entries(values).map(([key, valueExpression]) => ({ key, valueExpression })),
  };
}

test('An audit annotation has the name of its policy, and a text without the spaces around it', () => {
  const spec = annotated({ a: "' x '", b: 'null', c: "'  '", d: "'a' + object.b" });
  expect(judged({ spec, object: { b: 'c' } })).toEqual({
    denial: undefined,
    warnings: [],
    auditAnnotations: new Map([
      ['p/a', 'x'],
      ['p/d', 'ac'],
    ]),
  });
});

test('Different values of several bindings and parameters are joined, equal ones are given once', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const spec = { paramKind, ...annotated({ a: 'string(params.a)' }) };
  const paramRef = { selector: {} };
  const verdict = judged({
    policies: [policyOf(spec), policyOf(spec, 'q')],
    bindings: [bindingOf({ paramRef }), bindingOf({ paramRef }, 'c')],
    paramsOf: () => [{ a: '1' }, { a: '2' }, { a: '1' }],
  });
  expect(verdict.auditAnnotations).toEqual(
    new Map([
      ['p/a', '1, 2'],
      ['q/a', '1, 2'],
    ]),
  );
});

test('A long value is cut to 10,240 bytes', () => {
  const spec = annotated({ a: 'object.text' + " + ''" });
  const verdict = judged({ spec, object: { text: `a${'é'.repeat(6000)}` } });
  expect(verdict.auditAnnotations.get('p/a')).toBe(`a${'é'.repeat(5119)}`);
});

test('An annotation without a value denies the write, whatever the actions, unless errors are ignored', () => {
  const bindings = [bindingOf({ validationActions: ['Audit'] })];
  const spec = annotated({ a: "'x' + object.missing" });
  const error = "expression ''x' + object.missing' resulted in error: no such key: missing";
  expect(denialOf({ spec, bindings })).toBe(error);
  expect(denialOf({ spec: { ...spec, failurePolicy: 'Ignore' }, bindings })).toBeUndefined();
  expect(denialOf({ spec: annotated({ a: 'object.b' }) })).toBe(
    'compilation error: must evaluate to one of [string null_type] but got dyn',
  );
});

test('An annotation cannot ask the authorizer', () => {
  const spec = annotated({ a: "string(authorizer.path('/x').check('get').allowed())" });
  expect(denialOf({ spec })).toMatch(/resulted in error: no such attribute\(s\): authorizer$/);
});

test('Only the first failed validation with the action Audit has an annotation', () => {
  const spec = { validations: [{ expression: 'false' }, { expression: '1 == 2' }] };
  const { auditAnnotations } = judged({ spec, bindings: [bindingOf({ validationActions: ['Audit'] })] });
  expect([...auditAnnotations.values()]).toEqual([
    '[{"message":"failed expression: false","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}]',
  ]);
});

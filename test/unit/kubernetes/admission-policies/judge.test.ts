import { expect, test } from '@jest/globals';
import { bindingOf, denialOf, judged, policyOf } from './support.ts';

const DENIES = { validations: [{ expression: 'false' }] };

test('A failed validation denies the write with the text and code of kube-apiserver', () => {
  const spec = { validations: [{ expression: ' object.spec.replicas <= 5 ' }] };
  expect(judged({ spec, object: { spec: { replicas: 6 } } })).toEqual({
    denial: {
      code: 422,
      reason: 'Invalid',
      message:
        "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.spec.replicas <= 5",
    },
    warnings: [],
    auditAnnotations: new Map(),
  });
  expect(judged({ spec, object: { spec: { replicas: 5 } } }).denial).toBeUndefined();
});

test.each([
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['RequestEntityTooLarge', 413],
  ['Invalid', 422],
])('A denial with the reason %s has the code %d', (reason, code) => {
  const spec = { validations: [{ expression: 'false', reason, message: ' no ' }] };
  expect(judged({ spec }).denial).toEqual({
    code,
    reason,
    message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
  });
});

test('An error of an evaluation denies the write as invalid, whatever the reason of the validation', () => {
  const spec = { validations: [{ expression: 'object.a == 1', reason: 'Forbidden' }] };
  const { denial } = judged({ spec });
  expect(denial?.code).toBe(422);
  expect(denial?.message).toMatch(/expression 'object.a == 1' resulted in error: no such key: a$/);
});

test('With the failure policy Ignore, an error of an evaluation admits the write and a failed validation does not', () => {
  const failurePolicy = 'Ignore';
  expect(
    denialOf({ spec: { failurePolicy, validations: [{ expression: 'object.a == 1' }] } }),
  ).toBeUndefined();
  expect(denialOf({ spec: { failurePolicy, ...DENIES } })).toBe('failed expression: false');
});

test('An expression that does not compile is an error of each decision', () => {
  expect(denialOf({ spec: { validations: [{ expression: 'object.a ==' }] } })).toMatch(
    /^compilation error: compilation failed: ERROR: <input>:1:12: Syntax error: /,
  );
  expect(denialOf({ spec: { validations: [{ expression: 'object.a' }] } })).toBe(
    'compilation error: must evaluate to bool but got dyn',
  );
});

test('The binding decides the actions: denial, warning, and audit annotation', () => {
  const bindings = [bindingOf({ validationActions: ['Warn', 'Audit'] })];
  const spec = {
    validations: [
      { expression: 'true', message: '' },
      { expression: 'false', message: 'a < b & c' },
    ],
  };
  expect(judged({ spec, bindings })).toEqual({
    denial: undefined,
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': a < b & c"],
    auditAnnotations: new Map([
      [
        'validation.policy.admission.k8s.io/validation_failure',
        '[{"message":"a \\u003c b \\u0026 c","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Warn","Audit"]}]',
      ],
    ]),
  });
});

test('Only the first denial is in the status, and all warnings are given', () => {
  const policies = [policyOf(DENIES, 'first'), policyOf(DENIES, 'second')];
  const bindings = [bindingOf({}, 'one'), bindingOf({ validationActions: ['Warn'] }, 'two')];
  const verdict = judged({ policies, bindings });
  expect(verdict.denial?.message).toBe(
    "ValidatingAdmissionPolicy 'first' with binding 'one' denied request: failed expression: false",
  );
  expect(verdict.warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'first' with binding 'two': failed expression: false",
    "Validation failed for ValidatingAdmissionPolicy 'second' with binding 'two': failed expression: false",
  ]);
});

test('A policy without bindings does not count', () => {
  expect(judged({ spec: DENIES, bindings: [] }).denial).toBeUndefined();
});

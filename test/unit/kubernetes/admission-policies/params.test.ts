import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { ConfigurationError, type ParamQuery } from '../../../../lib/kubernetes/admission-policies/index.ts';
import { bindingOf, createOf, denialOf, judged } from './support.ts';

const PARAM_KIND = { apiVersion: 'v1', kind: 'ConfigMap' };
const SPEC = {
  paramKind: PARAM_KIND,
  validations: [{ expression: "params != null && object.a == params.data['a']" }],
};
const FAILED = `failed expression: ${SPEC.validations[0]?.expression}`;

function param(a: string): JsonObject {
  return { ...PARAM_KIND, data: { a } };
}

/** Returns the queries of a write by one binding, and what it is denied for. */
function asked(paramRef: JsonObject, given: Parameters<typeof denialOf>[0] = {}) {
  const queries: ParamQuery[] = [];
  const denial = denialOf({
    spec: SPEC,
    object: { a: '1' },
    bindings: [bindingOf({ paramRef })],
    paramsOf: (query) => {
      queries.push(query);
      return [param('1')];
    },
    ...given,
  });
  return { queries, denial };
}

describe('the parameters of a binding', () => {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
  const selector = { matchLabels: { a: 'b' } };

  test.each<[string, JsonObject, Parameters<typeof denialOf>[0], ParamQuery]>([
    [
      'a name in the namespace of the object',
      { name: 'c' },
      {},
      { kind, namespace: 'default', name: 'c', selector: undefined },
    ],
    [
      'a name in a namespace of its own',
      { name: 'c', namespace: 'other' },
      { attributes: createOf({ a: '1' }, { namespace: '' }) },
      { kind, namespace: 'other', name: 'c', selector: undefined },
    ],
    ['a selector', { selector }, {}, { kind, namespace: 'default', name: undefined, selector }],
    [
      'a cluster-scoped kind',
      { name: 'c' },
      { scope: 'Cluster' },
      { kind, namespace: '', name: 'c', selector: undefined },
    ],
  ])('are read by %s', (_what, paramRef, given, query) => {
    expect(asked(paramRef, given)).toEqual({ queries: [query], denial: undefined });
  });

  test.each<[JsonObject, Parameters<typeof denialOf>[0], string]>([
    [
      { name: 'c' },
      { attributes: createOf({}, { namespace: '' }) },
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ],
    [
      { name: 'c', namespace: 'other' },
      { scope: 'Cluster' },
      'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    ],
    [
      { name: 'c', selector: {} },
      {},
      'failed to configure binding: paramRef.name and paramRef.selector are mutually exclusive',
    ],
    [{}, {}, 'failed to configure binding: one of name or selector must be provided'],
    [
      { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
      {},
      'failed to configure binding: matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    ],
    [
      { name: 'c' },
      { scope: undefined },
      "failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=ConfigMap'",
    ],
  ])('%j is wrong in one way', (paramRef, given, message) => {
    expect(asked(paramRef, given)).toEqual({ queries: [], denial: message });
    const ignored = { ...SPEC, failurePolicy: 'Ignore' };
    expect(asked(paramRef, { ...given, spec: ignored }).denial).toBeUndefined();
  });

  test('an error of the policy names no binding', () => {
    const { denial } = judged({ spec: SPEC, scope: undefined });
    expect(denial?.message).toMatch(
      /^ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: /,
    );
  });

  test('the kind of a custom parameter has its group in messages', () => {
    const spec = { ...SPEC, paramKind: { apiVersion: 'example.com/v1beta1', kind: 'Limit' } };
    expect(denialOf({ spec, scope: undefined })).toMatch(/'example.com\/v1beta1, Kind=Limit'$/);
  });

  test.each([
    [
      'Deny',
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    ['Allow', undefined],
  ])('none are found: the binding decides with %s', (parameterNotFoundAction, message) => {
    const paramRef = { name: 'c', parameterNotFoundAction };
    expect(asked(paramRef, { paramsOf: () => [] }).denial).toBe(message);
  });

  test('each parameter that a selector finds must admit the write', () => {
    const paramRef = { selector: {}, parameterNotFoundAction: 'Deny' };
    expect(asked(paramRef, { paramsOf: () => [param('1'), param('1')] }).denial).toBeUndefined();
    expect(asked(paramRef, { paramsOf: () => [param('1'), param('2')] }).denial).toBe(FAILED);
  });

  test('an error of the server that reads them is an error of the configuration only if it says so', () => {
    const paramsOf = (error: Error) => () => {
      throw error;
    };
    expect(asked({ name: 'c' }, { paramsOf: paramsOf(new ConfigurationError('too many')) }).denial).toBe(
      'failed to configure binding: too many',
    );
    expect(() => asked({ name: 'c' }, { paramsOf: paramsOf(new Error('throttled')) })).toThrow('throttled');
  });
});

test('Without paramRef, params is null', () => {
  expect(denialOf({ spec: { ...SPEC, validations: [{ expression: 'params == null' }] } })).toBeUndefined();
});

test('Without paramKind, paramRef is ignored and params is unknown', () => {
  const spec = { validations: [{ expression: 'params == null' }] };
  const bindings = [bindingOf({ paramRef: { name: 'c' } })];
  expect(denialOf({ spec, bindings })).toMatch(/undeclared reference to 'params'/);
});

test('A binding that does not match the write needs no parameters', () => {
  const matchResources = {
    matchPolicy: 'Exact',
    namespaceSelector: {},
    objectSelector: { matchLabels: { a: 'b' } },
  };
  const bindings = [bindingOf({ paramRef: { name: 'c' }, matchResources })];
  expect(denialOf({ spec: SPEC, bindings })).toBeUndefined();
});

test('A namespace that does not exist is an error of the policy or of the binding whose selector asks for it', () => {
  const selector = { namespaceSelector: { matchLabels: { a: 'b' } }, objectSelector: {} };
  const bindings = [bindingOf({ matchResources: selector })];
  const spec = { validations: [{ expression: 'true' }] };
  const facts = { namespaceLabels: undefined };
  expect(denialOf({ spec, bindings, facts })).toBe(
    'failed to configure binding: namespaces "default" not found',
  );
  const matchConstraints = { ...selector, resourceRules: [] };
  expect(denialOf({ spec: { ...spec, matchConstraints }, facts })).toBe(
    'failed to configure policy: namespaces "default" not found',
  );
  expect(denialOf({ spec: { ...spec, matchConstraints: null }, facts })).toBe(
    'failed to configure policy: policy contained no match constraints, a required field',
  );
});

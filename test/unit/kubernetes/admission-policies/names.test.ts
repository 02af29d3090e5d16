import { describe, expect, test } from '@jest/globals';
import type { AccessCheck } from '../../../../lib/cel/libraries/index.ts';
import { createOf, denialOf } from './support.ts';

const NAMESPACE = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'default', uid: 'u', labels: { a: 'b' }, ownerReferences: [], managedFields: [] },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
};

describe('the request', () => {
  const user = { name: 'jane', uid: '7', groups: ['devs'], extra: { 'example.com/a': ['b'] } };
  const attributes = createOf({}, { user, subresource: 'scale', dryRun: true });

  test.each([
    "request.operation == 'CREATE' && request.dryRun",
    "request.kind.group == 'apps' && request.kind.version == 'v1' && request.kind.kind == 'Deployment'",
    'request.requestKind == request.kind && request.requestResource == request.resource',
    "request.resource.resource == 'deployments'",
    "request.subResource == 'scale' && request.requestSubResource == 'scale'",
    "request.name == 'x' && request.namespace == 'default'",
    "request.userInfo.username == 'jane' && request.userInfo.uid == '7' && 'devs' in request.userInfo.groups",
    "request.userInfo.extra['example.com/a'] == ['b']",
    "request.options.kind == 'CreateOptions'",
    'dyn(request).object == null && dyn(request).oldObject == null',
    'oldObject == null',
  ])('has the fields of an AdmissionRequest: %s', (expression) => {
    expect(denialOf({ spec: { validations: [{ expression }] }, attributes })).toBeUndefined();
  });

  test.each([
    'has(request.name)',
    'has(request.namespace)',
    'has(request.subResource)',
    'has(request.userInfo.username)',
    'has(request.userInfo.uid)',
    'has(request.userInfo.groups)',
    'has(request.userInfo.extra)',
  ])('lacks fields that are empty: %s', (expression) => {
    const nobody = { name: '', uid: '', groups: [], extra: {} };
    const empty = createOf({}, { user: nobody, name: '', namespace: '' });
    expect(denialOf({ spec: { validations: [{ expression }] }, attributes: empty })).toBe(
      `failed expression: ${expression}`,
    );
  });

  test.each([
    ['request.object != null', "undefined field 'object'"],
    ['request.name == 1', 'found no matching overload'],
    ['request.userInfo.name == "a"', "undefined field 'name'"],
    ['namespaceObject.kind == "a"', "undefined field 'kind'"],
    ['namespaceObject.metadata.uid == "a"', "undefined field 'uid'"],
    ['namespaceObject.metadata.ownerReferences == []', "undefined field 'ownerReferences'"],
  ])('has the declared types only: %s', (expression, message) => {
    expect(denialOf({ spec: { validations: [{ expression }] }, attributes })).toContain(message);
  });
});

describe('the namespace of the object', () => {
  const spec = (expression: string) => ({ validations: [{ expression }] });

  test.each([
    "namespaceObject.metadata.name == 'default' && namespaceObject.metadata.labels.a == 'b'",
    "namespaceObject.spec.finalizers == ['kubernetes'] && namespaceObject.status.phase == 'Active'",
    '!has(namespaceObject.metadata.annotations)',
    '!has(dyn(namespaceObject).kind) && !has(dyn(namespaceObject).metadata.managedFields)',
  ])('has labels and status, but no managed fields: %s', (expression) => {
    expect(denialOf({ spec: spec(expression), namespaceObject: NAMESPACE })).toBeUndefined();
  });

  test('is null for cluster-scoped objects and for a Namespace', () => {
    const given = { spec: spec('namespaceObject == null'), namespaceObject: NAMESPACE };
    expect(denialOf({ ...given, attributes: createOf({}, { namespace: '' }) })).toBeUndefined();
    const kind = { group: '', version: 'v1', kind: 'Namespace' };
    expect(denialOf({ ...given, attributes: createOf({}, { kind }) })).toBeUndefined();
  });
});

describe('an equivalent resource', () => {
  test('has the kind of the rule, and its objects are converted', () => {
    const attributes = createOf({ a: 1 }, { oldObject: { a: 0 } });
    const resource = { ...attributes.resource, version: 'v2' };
    const kind = { ...attributes.kind, version: 'v2' };
    const rule = { apiGroups: ['*'], apiVersions: ['v2'], operations: ['*'], resources: ['*'] };
    const matchConstraints = {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [rule],
    };
    const expression =
      "object.a == 1 && object.v == 'v2' && oldObject.v == 'v2' && request.kind.version == 'v2' && " +
      "request.resource.version == 'v2' && request.requestKind.version == 'v1'";
    const denial = denialOf({
      spec: { matchConstraints, validations: [{ expression }] },
      attributes,
      facts: { equivalents: [{ resource, kind }] },
      changes: { convert: (object, { version }) => ({ ...object, v: version }) },
    });
    expect(denial).toBeUndefined();
  });
});

describe('the authorizer', () => {
  function checksOf(expression: string): readonly AccessCheck[] {
    const checks: AccessCheck[] = [];
    denialOf({
      spec: { validations: [{ expression }] },
      attributes: createOf({}, { subresource: 'scale' }),
      check: (access) => {
        checks.push(access);
        return { isAllowed: true, reason: 'because' };
      },
    });
    return checks;
  }

  const user = { name: 'jane', uid: '', groups: ['devs'], extra: {} };
  const pods = {
    user,
    verb: 'list',
    apiGroup: '',
    resource: 'pods',
    subresource: '',
    namespace: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  };

  test.each<[string, AccessCheck]>([
    ["authorizer.path('/healthz').check('get')", { user, verb: 'get', path: '/healthz' }],
    ["authorizer.group('').resource('pods').check('list')", pods],
    [
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('a').name('b').check('update')",
      {
        ...pods,
        verb: 'update',
        apiGroup: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'a',
        name: 'b',
      },
    ],
    [
      "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c=d').check('list')",
      { ...pods, fieldSelector: 'a=b', labelSelector: 'c=d' },
    ],
    [
      "authorizer.requestResource.check('update')",
      {
        ...pods,
        verb: 'update',
        apiGroup: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'default',
        name: 'x',
      },
    ],
    [
      "authorizer.serviceAccount('a', 'b.c').path('/x').check('get')",
      {
        user: {
          name: 'system:serviceaccount:a:b.c',
          uid: '',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:a'],
          extra: {},
        },
        verb: 'get',
        path: '/x',
      },
    ],
  ])('is asked for the access that an expression names: %s', (check, expected) => {
    expect(checksOf(`${check}.allowed()`)).toEqual([expected]);
  });

  test.each([
    ["!authorizer.path('/x').check('get').allowed()", { isAllowed: false, reason: '' }],
    ["authorizer.path('/x').check('get').reason() == 'because'", { isAllowed: true, reason: 'because' }],
    ["!authorizer.path('/x').check('get').errored()", { isAllowed: true, reason: '' }],
    ["authorizer.path('/x').check('get').error() == ''", { isAllowed: true, reason: '' }],
    ["authorizer.path('/x').check('get').errored()", { isAllowed: false, reason: '', error: 'no way' }],
    [
      "authorizer.path('/x').check('get').error() == 'no way'",
      { isAllowed: false, reason: '', error: 'no way' },
    ],
  ])('gives its decision to the expression: %s', (expression, decision) => {
    expect(denialOf({ spec: { validations: [{ expression }] }, check: () => decision })).toBeUndefined();
  });

  test.each([
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    [
      "authorizer.serviceAccount('a.b', 'c').path('/').check('get').allowed()",
      'Invalid service account namespace',
    ],
    ["authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()", 'Invalid service account name'],
    ['authorizer == authorizer', 'no such overload'],
  ])('refuses values that name no access: %s', (expression, message) => {
    expect(denialOf({ spec: { validations: [{ expression }] } })).toBe(
      `expression '${expression}' resulted in error: ${message}`,
    );
  });
});

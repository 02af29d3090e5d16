import { beforeEach, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import {
  apiWithNamespace,
  applied,
  BINDINGS,
  bindingOf,
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  mutatingOf,
  POLICIES,
  policyOf,
} from './support.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1';
const MERGE = 'application/merge-patch+json';
const JANE = { username: 'jane', groups: ['system:authenticated'] };
const rules = { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] };
const role = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
  await grant('rules', rules);
});

/** Grants a rule to jane. */
async function grant(name: string, rule: JsonObject): Promise<void> {
  await api.ask('POST', `${ROLES}/clusterroles`, { metadata: { name }, rules: [rule] });
  await api.ask('POST', `${ROLES}/clusterrolebindings`, {
    metadata: { name },
    roleRef: role(name),
    subjects: [{ kind: 'User', name: 'jane' }],
  });
}

const policy = (paramKind: JsonObject) => policyOf('p', { resources: ['pods'] }, 'true', { paramKind });
const MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };

const faultOf = async (...request: Parameters<MemoryApi['send']>) => {
  const { status, body } = await api.as(JANE).send(...request);
  return status === 201 || status === 200 ? status : `${status} ${body.message}`;
};

it('The writer of a policy with paramKind needs get on the whole kind', async () => {
  expect(await faultOf('POST', POLICIES, policy(MAPS))).toBe(
    '422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.paramKind: Forbidden: user "jane" must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)',
  );
  await grant('maps', { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] });
  expect(await faultOf('POST', POLICIES, policy(MAPS))).toBe(201);
  const other = { spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' } } };
  expect(await faultOf('PATCH', `${POLICIES}/p`, other, MERGE)).toMatch(/kind=Secret/);
});

it('A write that leaves paramKind and paramRef as they are needs no further right', async () => {
  await api.ask('POST', POLICIES, policy(MAPS));
  const paramRef = { name: 'm', namespace: 'a', parameterNotFoundAction: 'Deny' };
  await api.ask('POST', BINDINGS, bindingOf('p', { paramRef }));
  const labelled = { metadata: { labels: { a: 'b' } } };
  expect(await faultOf('PATCH', `${POLICIES}/p`, labelled, MERGE)).toBe(200);
  expect(await faultOf('PATCH', `${BINDINGS}/p`, labelled, MERGE)).toBe(200);
});

it('The writer of a policy whose paramKind is not served needs get on all resources of the group', async () => {
  const unknown = policy({ apiVersion: 'example.org/v1', kind: 'Limit' });
  await grant('limits', { apiGroups: ['example.org'], resources: ['limits'], verbs: ['get'] });
  expect(await faultOf('POST', POLICIES, unknown)).toMatch(/^422/);
  await grant('example', { apiGroups: ['example.org'], resources: ['*'], verbs: ['get'] });
  expect(await faultOf('POST', POLICIES, unknown)).toBe(201);
});

it('The writer of a binding needs get on a named parameter, and list where it selects', async () => {
  await api.ask('POST', POLICIES, policy(MAPS));
  const named = { paramRef: { name: 'm', namespace: 'a', parameterNotFoundAction: 'Deny' } };
  const selecting = { paramRef: { selector: {}, namespace: 'a', parameterNotFoundAction: 'Deny' } };
  const everywhere = { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } };
  expect(await faultOf('POST', BINDINGS, bindingOf('p', named))).toBe(
    '422 ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "p" is invalid: spec.paramRef: Forbidden: user "jane" does not have "get" permission on the object referenced by paramRef',
  );
  await grant('m', { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['m'] });
  expect(await faultOf('POST', BINDINGS, bindingOf('p', named))).toBe(201);
  expect(await faultOf('POST', BINDINGS, bindingOf('p', selecting, 'q'))).toMatch(/"list" permission/);
  await api.ask('POST', `${ROLES}/namespaces/a/rolebindings`, {
    metadata: { name: 'list' },
    roleRef: role('list'),
    subjects: [{ kind: 'User', name: 'jane' }],
  });
  const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
  await api.ask('POST', `${ROLES}/clusterroles`, { metadata: { name: 'list' }, rules: [rule] });
  expect(await faultOf('POST', BINDINGS, bindingOf('p', selecting, 'q'))).toBe(201);
  expect(await faultOf('POST', BINDINGS, bindingOf('p', everywhere, 'r'))).toMatch(/"list" permission/);
});

it('The writer of a binding to a missing policy needs the right for all resources', async () => {
  const named = { paramRef: { name: 'm', namespace: 'a', parameterNotFoundAction: 'Deny' } };
  expect(await faultOf('POST', BINDINGS, bindingOf('p', named))).toMatch(/unable to resolve paramKind/);
  await grant('all', { apiGroups: ['*'], resources: ['*'], verbs: ['get'] });
  expect(await faultOf('POST', BINDINGS, bindingOf('p', named))).toBe(201);
});

it('The writer of a mutating policy and of its binding needs the same rights', async () => {
  const mutating = mutatingOf('p', { resources: ['pods'] }, [applied('Object{}')], { paramKind: MAPS });
  const binding = {
    metadata: { name: 'p' },
    spec: { policyName: 'p', paramRef: { name: 'm', namespace: 'a', parameterNotFoundAction: 'Deny' } },
  };
  expect(await faultOf('POST', MUTATING_POLICIES, mutating)).toBe(
    '422 MutatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.paramKind: Forbidden: user "jane" must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)',
  );
  await api.ask('POST', MUTATING_POLICIES, mutating);
  expect(await faultOf('POST', MUTATING_BINDINGS, binding)).toBe(
    '422 MutatingAdmissionPolicyBinding.admissionregistration.k8s.io "p" is invalid: spec.paramRef: Forbidden: user "jane" does not have "get" permission on the object referenced by paramRef',
  );
  await grant('maps', { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] });
  expect(await faultOf('POST', MUTATING_BINDINGS, binding)).toBe(201);
});

it('An update of a mutating policy names the resourceVersion, as one of every rule', async () => {
  const mutating = mutatingOf('p', { resources: ['pods'] }, [applied('Object{}')]);
  await api.ask('POST', MUTATING_POLICIES, mutating);
  expect(await faultOf('PUT', `${MUTATING_POLICIES}/p`, mutating)).toMatch(
    /^422 .*metadata\.resourceVersion: Invalid value: 0x0: must be specified for an update$/,
  );
});

it('No AccessGrant lets its user write admission rules, but it may let the user read them', async () => {
  await api.ask('POST', '/apis/winnow.dev/v1/clusteraccessgrants', {
    apiVersion: 'winnow.dev/v1',
    kind: 'ClusterAccessGrant',
    metadata: { name: 'g' },
    roleRef: role('rules'),
    subjects: [{ kind: 'User', name: 'joe' }],
    labelSelector: { matchLabels: { owner: 'joe' } },
  });
  const joe = api.as({ username: 'joe', groups: ['system:authenticated'] });
  const own = policyOf('p', { resources: ['pods'] }, 'true');
  const labelled = { ...own, metadata: { name: 'p', labels: { owner: 'joe' } } };
  expect((await joe.send('POST', POLICIES, labelled)).status).toBe(403);
  await api.ask('POST', POLICIES, labelled);
  expect((await joe.send('GET', `${POLICIES}/p`)).status).toBe(200);
  expect((await joe.send('DELETE', `${POLICIES}/p`)).status).toBe(403);
});

import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { objectErrors } from '../../../../lib/kubernetes/validation/index.ts';
import { DEPLOYMENTS, PODS, typeOf } from '../../server/fixtures.ts';

const metadata = { name: 'x', namespace: 'default', uid: 'u' };
const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
const spec = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' };

function pod(change: JsonObject = {}): JsonObject {
  return { metadata, spec: { ...spec, ...change } };
}

/** The fields that have errors. */
async function fields(type: typeof PODS, body: JsonObject, old?: JsonObject): Promise<string[]> {
  return [...new Set((await objectErrors({ type, body, old })).map(({ field }) => field))];
}

describe('an object that was stored before its validation became stricter', () => {
  const bare = { metadata, spec: {} };

  it('a new object like it is refused', async () => {
    expect(await fields(PODS, bare)).toEqual(['spec.containers', 'spec.restartPolicy', 'spec.dnsPolicy']);
    expect(await fields(DEPLOYMENTS, bare)).toContain('spec.selector');
  });

  it('an update of its valid fields is accepted', async () => {
    const labelled = { ...bare, metadata: { ...metadata, labels: { a: 'b' } } };
    expect(await fields(PODS, labelled, bare)).toEqual([]);
    expect(await fields(DEPLOYMENTS, labelled, bare)).toEqual([]);
  });

  it('an update that adds an error is refused', async () => {
    const worse = { ...bare, metadata: { ...metadata, labels: { a: 'b c' } } };
    expect(await fields(PODS, worse, bare)).toEqual(['metadata.labels']);
  });
});

it('an address with a zone is refused', async () => {
  const aliases = ['fe80::1', 'fe80::1%eth0'].map((ip) => ({ ip }));
  expect(await fields(PODS, pod({ hostAliases: aliases }))).toEqual(['spec.hostAliases[1].ip']);
});

describe('The change of a pod', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    ['an image', { containers: [{ ...container, image: 'j' }] }, []],
    ['a deadline that comes', { activeDeadlineSeconds: 5 }, []],
    ['another toleration', { tolerations: [{ key: 'a', operator: 'Exists' }] }, []],
    ['a node', { nodeName: 'n' }, ['spec']],
    ['a container', { containers: [container, { ...container, name: 'd' }] }, ['spec.containers']],
    ['a gate', { schedulingGates: [{ name: 'a.b/c' }] }, ['spec.schedulingGates[0].name']],
  ])('a change of %s of a pod is refused for %j', async (_what, change, refused) => {
    expect(await fields(PODS, pod(change), pod())).toEqual(refused);
  });

  it('the nodeSelector of a pod may change while a scheduling gate holds the pod back', async () => {
    const gated = { schedulingGates: [{ name: 'a.b/c' }] };
    expect(await fields(PODS, pod({ nodeSelector: { a: 'b' } }), pod(gated))).toEqual([]);
    expect(await fields(PODS, pod({ nodeSelector: { a: 'b' } }), pod())).toEqual(['spec']);
  });
});

describe('an update of the status', () => {
  it('an update of the status validates only the status', async () => {
    const old = { metadata, spec: {}, status: {} };
    const body = { ...old, spec: { containers: [] }, status: { phase: 'Running' } };
    expect(await objectErrors({ type: PODS, body, old, subresource: 'status' })).toEqual([]);
  });
});

describe('the overhead of a pod', () => {
  it.each<[JsonObject, string[]]>([
    [{ cpu: '250m' }, []],
    [{ cpu: '-1' }, ['spec.overhead.limits[cpu]']],
    [{ gold: '1' }, ['spec.overhead.limits[gold]']],
  ])('the overhead %j is validated for every writer', async (overhead, refused) => {
    expect(await fields(PODS, pod({ overhead }))).toEqual(refused);
  });
});

describe('the names of objects', () => {
  it.each([
    ['clusterroles', 'system:Admin', []],
    ['clusterroles', 'a/b', ['metadata.name']],
    ['clusterroles', '..', ['metadata.name']],
    ['clusterroles', '', ['metadata.name']],
  ])('the name rule of %s applies to: %s', async (resource, name, refused) => {
    const type = typeOf('rbac.authorization.k8s.io', 'v1', resource);
    expect(await fields(type, { metadata: { name } })).toEqual(refused);
  });
});

describe('a CertificateSigningRequest', () => {
  const type = typeOf('certificates.k8s.io', 'v1', 'certificatesigningrequests');
  const request = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
  const spec = {
    request: Buffer.from(request).toString('base64'),
    usages: ['client auth'],
    signerName: 'a.b/c',
  };
  const decided = (...types: string[]) => ({
    conditions: types.map((one) => ({ type: one, status: 'True' })),
  });

  it.each<[string, JsonObject, string[]]>([
    ['what it needs', {}, []],
    ['no request', { spec: { ...spec, request: '' } }, ['spec.request']],
    ['a key twice', { spec: { ...spec, usages: ['any', 'any'] } }, ['spec.usages[1]']],
    ['no domain', { spec: { ...spec, signerName: 'a/c' } }, ['spec.signerName']],
    ['an approval', { status: decided('Approved') }, []],
    ['both decisions', { status: decided('Approved', 'Denied') }, ['status.conditions[1].type']],
    ['a decision twice', { status: decided('Denied', 'Denied') }, ['status.conditions[1].type']],
  ])('a CertificateSigningRequest with %s is validated', async (_what, change, refused) => {
    expect(await fields(type, { metadata, spec, ...change })).toEqual(refused);
  });
});

describe('the match rules of an admission policy', () => {
  const type = typeOf('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies');
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['deployments'],
  };
  const path = 'spec.matchConstraints.resourceRules[0]';

  it.each<[JsonObject, string[]]>([
    [{}, []],
    [{ operations: ['*', 'LOOK'] }, [`${path}.operations`, `${path}.operations[1]`]],
    [{ resources: ['pods/*', 'pods/log'] }, [`${path}.resources[1]`]],
    [{ resources: ['*', '*/*'] }, [`${path}.resources`]],
    [{ resourceNames: ['a', 'a'] }, [`${path}.resourceNames[1]`]],
    [{ scope: 'Some' }, [`${path}.scope`]],
  ])('the match rule with %j is validated', async (change, refused) => {
    const matchConstraints = {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, ...change }],
    };
    const validations = [{ expression: 'true' }];
    const body = { metadata, spec: { failurePolicy: 'Fail', matchConstraints, validations } };
    expect(await fields(type, body)).toEqual(refused);
  });
});

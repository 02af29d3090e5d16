import { describe, expect, it } from '@jest/globals';
import { objectErrors } from '../../../../lib/api/validation/index.ts';
import type { JsonObject } from '../../../../lib/store/index.ts';
import { DEPLOYMENTS, PODS, typeOf } from '../fixtures.ts';

const metadata = { name: 'x', namespace: 'default', uid: 'u' };
const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };
const spec = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' };

function pod(change: JsonObject = {}): JsonObject {
  return { metadata, spec: { ...spec, ...change } };
}

/** The fields that something is wrong with. */
function fields(type: typeof PODS, body: JsonObject, old?: JsonObject): string[] {
  return [...new Set(objectErrors({ type, body, old }).map(({ field }) => field))];
}

describe('an object that was stored before it was asked for this much', () => {
  const bare = { metadata, spec: {} };

  it('would not be stored today', () => {
    expect(fields(PODS, bare)).toEqual(['spec.containers', 'spec.restartPolicy', 'spec.dnsPolicy']);
    expect(fields(DEPLOYMENTS, bare)).toContain('spec.selector');
  });

  it('may be changed in what is not wrong with it', () => {
    const labelled = { ...bare, metadata: { ...metadata, labels: { a: 'b' } } };
    expect(fields(PODS, labelled, bare)).toEqual([]);
    expect(fields(DEPLOYMENTS, labelled, bare)).toEqual([]);
  });

  it('gets nothing wrong on top', () => {
    const worse = { ...bare, metadata: { ...metadata, labels: { a: 'b c' } } };
    expect(fields(PODS, worse, bare)).toEqual(['metadata.labels']);
  });
});

describe('a change of a pod', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    ['an image', { containers: [{ ...container, image: 'j' }] }, []],
    ['a deadline that comes', { activeDeadlineSeconds: 5 }, []],
    ['another toleration', { tolerations: [{ key: 'a', operator: 'Exists' }] }, []],
    ['a node', { nodeName: 'n' }, ['spec']],
    ['a container', { containers: [container, { ...container, name: 'd' }] }, ['spec.containers']],
    ['a gate', { schedulingGates: [{ name: 'a.b/c' }] }, ['spec.schedulingGates[0].name']],
  ])('of %s is refused for %j', (_what, change, refused) => {
    expect(fields(PODS, pod(change), pod())).toEqual(refused);
  });

  it('may send it elsewhere while it waits behind a gate', () => {
    const gated = { schedulingGates: [{ name: 'a.b/c' }] };
    expect(fields(PODS, pod({ nodeSelector: { a: 'b' } }), pod(gated))).toEqual([]);
    expect(fields(PODS, pod({ nodeSelector: { a: 'b' } }), pod())).toEqual(['spec']);
  });
});

describe('a change of a status', () => {
  it('asks nothing about the rest', () => {
    const old = { metadata, spec: {}, status: {} };
    const body = { ...old, spec: { containers: [] }, status: { phase: 'Running' } };
    expect(objectErrors({ type: PODS, body, old, subresource: 'status' })).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['clusterroles', 'system:Admin', []],
    ['clusterroles', 'a/b', ['metadata.name']],
    ['clusterroles', '..', ['metadata.name']],
    ['clusterroles', '', ['metadata.name']],
  ])('of %s: %s', (resource, name, refused) => {
    const type = typeOf('rbac.authorization.k8s.io', 'v1', resource);
    expect(fields(type, { metadata: { name } })).toEqual(refused);
  });
});

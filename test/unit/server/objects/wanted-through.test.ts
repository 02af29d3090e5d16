import { describe, expect, it } from '@jest/globals';
import { metadataOf } from '../../../../lib/json/index.ts';
import { type ResourceType, resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { wantedThrough } from '../../../../lib/server/objects/wanted-through.ts';
import { typeOf } from '../fixtures.ts';

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
const OLD = { name: 'x', labels: { a: 'old' }, annotations: { b: 'old' }, finalizers: ['example.com/old'] };
const SENT = {
  name: 'x',
  labels: { a: 'sent' },
  annotations: { b: 'sent' },
  finalizers: ['example.com/sent'],
  ownerReferences: [owner],
  generation: 99,
};
const ALL = ['annotations', 'finalizers', 'labels', 'ownerReferences'];

/** The metadata that a write through the subresource takes from what the client sent. */
function takenThrough(type: ResourceType, subresource: string): string[] {
  const old = { metadata: { ...OLD, generation: 1 }, spec: {}, status: { phase: 'old' } };
  const sent = { metadata: SENT, spec: { sent: true }, status: { phase: 'sent' } };
  const { metadata = {}, ...rest } = wantedThrough({ type, subresource }, old, sent);
  expect(rest.spec).toEqual({});
  expect(metadata).toMatchObject({ name: 'x', generation: 1 });
  const before = metadataOf({ metadata: OLD });
  return ALL.filter(
    (field) => JSON.stringify(metadataOf({ metadata })[field]) !== JSON.stringify(before[field]),
  );
}

/** As kube-apiserver 1.33 does it. */
const KEEPING = [
  'APIService',
  'CustomResourceDefinition',
  'FlowSchema',
  'PriorityLevelConfiguration',
  'ServiceCIDR',
  'ValidatingAdmissionPolicy',
  'VolumeAttachment',
  'Subscription',
  'Tally',
];
const PARTLY: Readonly<Record<string, string>> = { Deployment: 'labels', Pod: 'ownerReferences' };

describe('A write through a subresource', () => {
  it.each(resourceTypes.filter(({ status }) => status).map((type) => [type.kind, type] as const))(
    'takes through /status of a %s the metadata that kube-apiserver takes',
    (kind, type) => {
      const taken = KEEPING.includes(kind) ? [] : ALL.filter((field) => field !== PARTLY[kind]);
      expect(takenThrough(type, 'status')).toEqual(taken);
    },
  );

  it('takes the metadata of a certificate request with its approval', () => {
    const type = typeOf('certificates.k8s.io', 'v1', 'certificatesigningrequests');
    expect(takenThrough(type, 'approval')).toEqual(ALL);
  });

  it.each(['resize', 'ephemeralcontainers'])('takes no metadata of a pod through /%s', (subresource) => {
    const type = typeOf('', 'v1', 'pods');
    const old = { metadata: OLD, spec: {} };
    const { metadata } = wantedThrough({ type, subresource }, old, { metadata: SENT, spec: {} });
    expect(metadata).toEqual(OLD);
  });

  it('removes the labels of a pod that its status no longer has', () => {
    const old = { metadata: { ...OLD, ownerReferences: [owner] }, spec: {} };
    const wanted = wantedThrough({ type: typeOf('', 'v1', 'pods'), subresource: 'status' }, old, {
      metadata: { name: 'x' },
    });
    expect(wanted.metadata).toEqual({ name: 'x', ownerReferences: [owner] });
  });
});

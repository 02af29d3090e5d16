import { describe, expect, it } from '@jest/globals';
import {
  deriveEndpoints,
  type EndpointSlice,
  type Known,
  MANAGER,
} from '../../../../lib/kubernetes/endpoints/index.ts';
import { answerOf, derived } from '../../../conformance/endpoints/answer.ts';
import { recording } from '../../../conformance/endpoints/recording.ts';

const NOTHING = { create: [], update: [], delete: [] };

/** test/conformance/endpoints recorded these answers. It compares far more worlds, but needs Go. */
describe('the recorded endpoints of Kubernetes in generated worlds', () => {
  const recorded = recording.read();

  it('deriveEndpoints writes the same endpoints as Kubernetes', () => {
    expect(recorded.length).toBeGreaterThan(200);
    const ours = recorded.map(({ question }) => answerOf(derived(question), question));
    expect(ours).toEqual(recorded.map(({ answer }) => answer));
  });
});

describe('the endpoints of a Service', () => {
  it('deriveEndpoints creates slices, and has nothing to do once they are stored', () => {
    const first = deriveEndpoints(known());
    expect(first.slices.create).toMatchObject([
      {
        metadata: { labels: { 'kubernetes.io/service-name': 'redis', [MANAGED_BY]: MANAGER } },
        addressType: 'IPv4',
        ports: [{ name: 'redis', port: 6379, protocol: 'TCP' }],
        endpoints: [
          { addresses: ['10.0.0.1'], conditions: { ready: true, serving: true, terminating: false } },
        ],
      },
    ]);
    const second = deriveEndpoints(
      known({ slices: first.slices.create, endpoints: first.endpoints.create[0] }),
    );
    expect(second).toEqual({ slices: NOTHING, endpoints: NOTHING });
  });

  it('the names of slices are deterministic and avoid names that are taken', () => {
    const [name] = namesOf(known());
    expect(name).toMatch(/^redis-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(namesOf(known())).toEqual([name]);
    const [other] = namesOf(known({ taken: [`${name}`] }));
    expect(other).not.toBe(name);
    expect(namesOf(known({ taken: [`${name}`] }))).toEqual([other]);
  });

  it('the endpoints include a pod whose node does not exist', () => {
    const { slices } = deriveEndpoints(known({ nodes: new Map() }));
    expect(slices.create[0]?.endpoints).toMatchObject([{ nodeName: 'rack-1' }]);
    expect(slices.create[0]?.endpoints?.[0]).not.toHaveProperty('zone');
  });

  it('an updated slice keeps the metadata that it was read with', () => {
    const [slice] = deriveEndpoints(known()).slices.create;
    const read = { ...slice, metadata: { ...slice?.metadata, resourceVersion: '7' } } as EndpointSlice;
    const { slices } = deriveEndpoints(known({ slices: [read], pods: [] }));
    expect(slices.update).toMatchObject([{ metadata: read.metadata, endpoints: [] }]);
  });

  it('Winnow leaves endpoints to a cluster mirror that manages them, and derives them again after it is gone', () => {
    const { slices, endpoints } = deriveEndpoints(known());
    const theirs = slices.create.map((slice) => ({
      ...slice,
      metadata: { ...slice.metadata, name: 'theirs', labels: { [SERVICE_NAME]: 'redis' } },
    }));
    const beside = { slices: [...slices.create, ...theirs], endpoints: endpoints.create[0] };
    expect(deriveEndpoints(known(beside))).toEqual({
      leftAlone: 'ManagedByOthers',
      slices: { ...NOTHING, delete: slices.create },
      endpoints: { ...NOTHING, delete: endpoints.create },
    });
    const mirrored = { metadata: { name: 'redis', namespace: 'fleet' } };
    expect(deriveEndpoints(known({ endpoints: mirrored })).leftAlone).toBe('ManagedByOthers');
    expect(deriveEndpoints(known()).leftAlone).toBeUndefined();
  });

  it.each([
    ['ExternalName', { type: 'ExternalName', selector: { app: 'redis' } }],
    ['NoSelector', { selector: {} }],
    ['NoSelector', {}],
  ])('deriveEndpoints leaves a Service alone: %s', (leftAlone, spec) => {
    const { service, slices } = known();
    const asked = known({ service: { ...service, spec }, slices });
    expect(deriveEndpoints(asked)).toEqual({ leftAlone, slices: NOTHING, endpoints: NOTHING });
  });

  it('Endpoints hold at most 1,000 addresses, and an annotation marks truncation', () => {
    const pods = Array.from({ length: 1001 }, (_, index) => pod(index));
    const [cut] = deriveEndpoints(known({ pods })).endpoints.create;
    expect(cut?.subsets?.[0]?.addresses).toHaveLength(1000);
    expect(cut?.metadata.annotations).toEqual({ 'endpoints.kubernetes.io/over-capacity': 'truncated' });
    const [whole] = deriveEndpoints(known({ pods: pods.slice(1), endpoints: cut })).endpoints.update;
    expect(whole?.metadata.annotations).toEqual({});
  });
});

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

function namesOf(asked: Known): string[] {
  return deriveEndpoints(asked).slices.create.map(({ metadata }) => metadata.name);
}

function known(given: Partial<Known> = {}): Known {
  return {
    service: {
      metadata: { name: 'redis', namespace: 'fleet', uid: 'a-service' },
      spec: {
        selector: { app: 'redis' },
        clusterIP: 'None',
        ipFamilies: ['IPv4'],
        ports: [{ name: 'redis', port: 6379, targetPort: 6379 }],
      },
    },
    pods: [pod(1)],
    nodes: new Map([
      ['rack-1', { metadata: { name: 'rack-1', labels: { 'topology.kubernetes.io/zone': 'east' } } }],
    ]),
    slices: [],
    endpoints: undefined,
    ...given,
  };
}

function pod(index: number) {
  return {
    metadata: { name: `redis-${index}`, namespace: 'fleet', uid: `pod-${index}`, labels: { app: 'redis' } },
    spec: { nodeName: 'rack-1' },
    status: {
      phase: 'Running',
      podIPs: [{ ip: `10.0.${index >> 8}.${index & 255}` }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

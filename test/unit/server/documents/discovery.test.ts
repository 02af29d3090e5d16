import { describe, expect, it } from '@jest/globals';
import { resourceTypes } from '../../../../lib/kubernetes/resource-types/index.ts';
import { discover } from '../../../../lib/server/documents/discovery.ts';

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const V2BETA1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const KUBECTL = `${V2},${V2BETA1},application/json`;
const OLD_KUBECTL = `${V2BETA1},application/json`;

function body(path: string, accept?: string) {
  return JSON.parse(String(discover(path, { accept, types: resourceTypes })?.body ?? 'null'));
}

describe('The aggregated discovery', () => {
  it.each([
    ['/api', KUBECTL, V2, 'apidiscovery.k8s.io/v2'],
    ['/apis', KUBECTL, V2, 'apidiscovery.k8s.io/v2'],
    ['/api', OLD_KUBECTL, V2BETA1, 'apidiscovery.k8s.io/v2beta1'],
    ['/apis', OLD_KUBECTL, V2BETA1, 'apidiscovery.k8s.io/v2beta1'],
  ])('Discovery answers %s to %s in the requested version', (path, accept, contentType, apiVersion) => {
    expect(discover(path, { accept, types: resourceTypes })?.headers['content-type']).toBe(contentType);
    expect(body(path, accept)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion });
  });

  it('Discovery has the core group without a name at /api and the others at /apis', () => {
    expect(body('/api', KUBECTL).items.map((item: { metadata: object }) => item.metadata)).toEqual([
      { creationTimestamp: null },
    ]);
    const groups = body('/apis', KUBECTL).items.map(
      (item: { metadata: { name: string } }) => item.metadata.name,
    );
    expect(groups).toEqual([...new Set(resourceTypes.map(({ group }) => group))].filter(Boolean));
  });

  it('Discovery has all facts of a resource', () => {
    const [core] = body('/api', KUBECTL).items;
    const pods = core.versions[0].resources.find((entry: { resource: string }) => entry.resource === 'pods');
    // The resource's own group and version are omitted.
    const responseKind = { group: '', version: '', kind: 'Pod' };
    const part = { responseKind, verbs: ['get', 'patch', 'update'] };
    expect(pods).toEqual({
      resource: 'pods',
      responseKind,
      scope: 'Namespaced',
      singularResource: 'pod',
      shortNames: ['po'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: expect.arrayContaining([
        {
          subresource: 'eviction',
          responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
          verbs: ['create'],
        },
        { subresource: 'log', responseKind, verbs: ['get'] },
        { subresource: 'resize', ...part },
        { subresource: 'status', ...part },
      ]),
    });
  });
});

describe('The legacy discovery', () => {
  it.each([undefined, 'application/json', '*/*'])('Legacy discovery is the answer to %s', (accept) => {
    expect(discover('/api', { accept, types: resourceTypes })?.headers['content-type']).toBe(
      'application/json',
    );
    expect(body('/api', accept)).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect(body('/apis', accept).kind).toBe('APIGroupList');
  });

  it('Legacy discovery has the versions of a group', () => {
    const version = { groupVersion: 'winnow.dev/v1', version: 'v1' };
    const group = { name: 'winnow.dev', versions: [version], preferredVersion: version };
    expect(body('/apis/winnow.dev')).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...group });
    expect(body('/apis').groups).toContainEqual(group);
  });

  it('Legacy discovery lists the resources and subresources of a version, in any requested form', () => {
    const list = body('/apis/winnow.dev/v1', KUBECTL);
    expect(list).toMatchObject({ kind: 'APIResourceList', groupVersion: 'winnow.dev/v1' });
    expect(list.resources).toEqual([
      expect.objectContaining({ name: 'accessentries', kind: 'AccessEntry', namespaced: false }),
      expect.objectContaining({ name: 'accessgrants', kind: 'AccessGrant', namespaced: true }),
      expect.objectContaining({ name: 'clusteraccessgrants', namespaced: false }),
      expect.objectContaining({ name: 'canaries', kind: 'Canary', namespaced: true }),
      expect.objectContaining({ name: 'histories', kind: 'History', namespaced: true, verbs: ['list'] }),
      expect.objectContaining({ name: 'placementreviews', namespaced: false, verbs: ['create'] }),
      expect.objectContaining({ name: 'reachabilityreviews', namespaced: false, verbs: ['create'] }),
      expect.objectContaining({ name: 'selectionreviews', namespaced: false, verbs: ['create'] }),
      expect.objectContaining({
        name: 'subscriptions',
        kind: 'Subscription',
        namespaced: true,
        shortNames: ['sub'],
      }),
      expect.objectContaining({ name: 'subscriptions/status', verbs: ['get', 'patch', 'update'] }),
      expect.objectContaining({ name: 'tallies', kind: 'Tally', namespaced: true }),
      expect.objectContaining({ name: 'tallies/status', verbs: ['get', 'patch', 'update'] }),
    ]);
    expect(body('/api/v1').groupVersion).toBe('v1');
  });

  it('The pages of legacy discovery name every resource type', () => {
    const lists = [...new Set(resourceTypes.map(({ group, version }) => `${group}/${version}`))].map((gv) =>
      body(gv.startsWith('/') ? `/api${gv}` : `/apis/${gv}`),
    );
    const names = lists.flatMap((list) => list.resources.map((entry: { name: string }) => entry.name));
    expect(names.filter((name) => !name.includes('/'))).toEqual(
      resourceTypes.map(({ resource }) => resource),
    );
  });
});

describe('The paths of discovery', () => {
  it.each([
    '/',
    '/version',
    '/api/v2',
    '/api/v1/pods',
    '/apis/nowhere',
    '/apis/apps/v9',
    '/apis/apps/v1/deployments',
  ])('Discovery has nothing at %s', (path) => {
    expect(discover(path, { accept: undefined, types: resourceTypes })).toBeUndefined();
  });

  it('Discovery accepts a slash at the end', () => {
    expect(body('/apis/')).toEqual(body('/apis'));
  });

  it('Discovery refuses a client that accepts no JSON', () => {
    expect(() => discover('/api', { accept: 'text/html', types: resourceTypes })).toThrow(
      expect.objectContaining({ code: 406 }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import type { ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import type { ResourceRoute } from '../../../../lib/server/http/index.ts';
import { decodeSent } from '../../../../lib/server/objects/decode-sent.ts';
import { nextState } from '../../../../lib/server/objects/next-state.ts';
import { typedState } from '../../../../lib/server/objects/typed-object.ts';
import { type Mutation, type ObjectState, stateOf, toObject } from '../../../../lib/store/index.ts';
import {
  CONFIG_MAPS,
  fieldsOf,
  NAMESPACES,
  NOW,
  PODS,
  refusalFrom,
  routeTo,
  SECRETS,
  storedPod,
  typeOf,
} from '../fixtures.ts';

async function put(
  current: ObjectState,
  body: JsonObject,
  subresource: '' | 'status' = '',
): Promise<Mutation> {
  return change(routeTo(PODS, subresource), current, body);
}

/** The update as PUT does it: the stored object is read as it would be stored today. */
async function change(route: ResourceRoute, current: ObjectState, body: JsonObject): Promise<Mutation> {
  const { namespace } = current.name;
  const desired = await decodeSent({ type: route.type, namespace, value: body });
  return nextState(route, await typedState(route.type, current), desired.body);
}

function bodyOf(mutation: Mutation): JsonObject {
  if (mutation.kind === 'none') throw new Error('nothing changed');
  return mutation.body;
}

/** The body that a client sends back after it read the object. */
function echo(state: ObjectState, metadata: JsonObject = {}, content: JsonObject = {}): JsonObject {
  const object = toObject(state);
  return { ...object, metadata: { ...Object(object.metadata), ...metadata }, ...content };
}

describe('An update of an object', () => {
  it('An update that changes nothing writes nothing', async () => {
    const state = storedPod({ labels: { a: '1' } });
    const sent = echo(state, { selfLink: '', finalizers: [], annotations: {} });
    expect((await put(state, sent)).kind).toBe('none');
  });

  it.each([
    ['coordination.k8s.io', 'leases'],
    ['policy', 'poddisruptionbudgets'],
  ])('An update of %s/v1 %s has the version that was read', async (group, resource) => {
    const route = routeTo(typeOf(group, 'v1', resource));
    const refusal = await refusalFrom(change(route, storedPod(), { metadata: { name: 'x' } }));
    expect(refusal.message).toContain(
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    );
  });

  it("An update keeps the server's metadata", async () => {
    const state = storedPod();
    const sent = echo(state, {
      generation: 99,
      creationTimestamp: '2001-01-01T00:00:00.000Z',
      labels: { a: '1' },
    });
    expect(bodyOf(await put(state, sent)).metadata).toEqual({
      name: 'x',
      namespace: 'default',
      uid: 'uid-1',
      generation: 1,
      creationTimestamp: NOW,
      labels: { a: '1' },
    });
  });

  it.each<[string, JsonObject, JsonObject, number]>([
    ['the spec', {}, { spec: { nodeName: 'n1', activeDeadlineSeconds: 5 } }, 2],
    ['labels', { labels: { a: '1' } }, {}, 1],
  ])('of %s leaves the right generation', async (_what, metadata, content, generation) => {
    const state = storedPod();
    const next = bodyOf(await put(state, echo(state, metadata, content)));
    expect(next.metadata).toMatchObject({ generation });
  });

  it('An update leaves the status alone', async () => {
    const state = storedPod();
    expect((await put(state, echo(state, {}, { status: { phase: 'Running' } }))).kind).toBe('none');
  });

  it('An update through /status changes only the status and the metadata', async () => {
    const state = storedPod();
    const sent = echo(state, { labels: { a: '1' } }, { spec: {}, status: { phase: 'Running' } });
    const { body } = await typedState(PODS, state);
    const metadata = { ...metadataOf(body), labels: { a: '1' } };
    expect(bodyOf(await put(state, sent, 'status'))).toEqual({
      ...body,
      metadata,
      status: { phase: 'Running' },
    });
  });

  it.each([
    ['another uid', { uid: 'other' }],
    ['an older resourceVersion', { resourceVersion: '6' }],
    ['a newer resourceVersion', { resourceVersion: '8' }],
  ])('An update with %s is a conflict', async (_what, metadata) => {
    const state = storedPod();
    const refusal = await refusalFrom(put(state, echo(state, metadata)));
    expect({ code: refusal.code, reason: refusal.reason }).toEqual({ code: 409, reason: 'Conflict' });
  });

  it.each(['', '0'])('An update with resourceVersion %j is unconditional', async (resourceVersion) => {
    const state = storedPod();
    expect((await put(state, echo(state, { resourceVersion, labels: { a: '1' } }))).kind).toBe('put');
  });

  it.each<JsonObject>([{ deletionTimestamp: '2001-01-01T00:00:00Z' }, { deletionGracePeriodSeconds: 0 }])(
    'that says %j of an object that stays is invalid',
    async (metadata) => {
      const state = storedPod();
      expect((await refusalFrom(put(state, echo(state, metadata)))).code).toBe(422);
    },
  );

  it('An update with a resourceVersion that is no number is invalid', async () => {
    const state = storedPod();
    expect((await refusalFrom(put(state, echo(state, { resourceVersion: 'x' })))).code).toBe(422);
  });
});

describe('A terminating object', () => {
  const terminating = { deletionTimestamp: NOW, finalizers: ['a.io/a', 'a.io/b'] };

  it('A terminating object stays while a finalizer is left', async () => {
    const state = storedPod(terminating);
    expect((await put(state, echo(state, { finalizers: ['a.io/b'] }))).kind).toBe('put');
  });

  it('A terminating object is deleted with its last finalizer', async () => {
    const state = storedPod(terminating);
    expect((await put(state, echo(state, { finalizers: [] }))).kind).toBe('delete');
  });

  it('A terminating object gets no new finalizers', async () => {
    const state = storedPod(terminating);
    const refusal = await refusalFrom(put(state, echo(state, { finalizers: ['a.io/a', 'a.io/c'] })));
    expect(refusal.code).toBe(422);
    expect(new Set(fieldsOf(refusal))).toEqual(new Set(['metadata.finalizers']));
  });

  it('A terminating namespace stays until reconcile has emptied it', async () => {
    const metadata = { name: 'x', uid: 'u', generation: 2, deletionTimestamp: NOW, finalizers: ['a.io/a'] };
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: ['kubernetes'] } };
    const state = stateOf({ namespace: '', name: 'x' }, 7, body);
    const sent = echo(state, { finalizers: [] }, { spec: { finalizers: [] } });
    const mutation = await change(routeTo(NAMESPACES), state, sent);
    expect(mutation.kind).toBe('put');
    expect(bodyOf(mutation).spec).toEqual({ finalizers: ['kubernetes'] });
  });
});

describe('Immutable data of an object', () => {
  const cases: [ResourceType, JsonObject, JsonObject, string[]][] = [
    [CONFIG_MAPS, { data: { a: '1' } }, { data: { a: '2' } }, []],
    [CONFIG_MAPS, { immutable: true, data: { a: '1' } }, { immutable: true, data: { a: '2' } }, ['data']],
    [CONFIG_MAPS, { immutable: true, data: { a: '1' } }, { data: { a: '1' } }, ['immutable']],
    [
      CONFIG_MAPS,
      { immutable: true, binaryData: { a: 'eA==' } },
      { immutable: true, binaryData: {} },
      ['binaryData'],
    ],
    [SECRETS, { immutable: true, type: 'Opaque' }, { immutable: true, stringData: { a: '1' } }, ['data']],
    [SECRETS, { type: 'Opaque' }, { type: 'example.com/own' }, ['type']],
  ];

  it.each(cases)('The update of immutable data, case %#', async (type, before, after, refused) => {
    const metadata = { name: 'x', namespace: 'default', uid: 'u', generation: 1 };
    const state = stateOf({ namespace: 'default', name: 'x' }, 7, { metadata, ...before });
    const changed = change(routeTo(type), state, { metadata, ...after });
    if (refused.length === 0) {
      expect((await changed).kind).toBe('put');
    } else {
      expect(fieldsOf(await refusalFrom(changed))).toEqual(refused);
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { tellOfInvalidOwner } from '../../../../lib/controllers/collect/owner-event.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { targetResources } from '../../../../lib/kubernetes/resource-types/index.ts';
import { ownerReferencesOf } from '../../../../lib/store/index.ts';
import { createCollecting, NODES, reference, SETS } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const EVENTS: Collection = 'core/events';
const NAMESPACES: Collection = 'core/namespaces';

function createTelling(resources = targetResources) {
  const collecting = createCollecting();
  const [owner] = ownerReferencesOf({ metadata: { ownerReferences: [reference(SETS, 'set')] } });
  if (owner === undefined) throw new Error('no reference');
  return {
    ...collecting,
    tell: (name: string, collection: Collection = PODS) => {
      const invalid = { collection, name: nameOf(name), uid: 'u', reference: owner };
      return tellOfInvalidOwner({ ...collecting.options, resources }, invalid);
    },
    async events(namespace: string) {
      const { table } = collecting;
      const { rows } = await table.query({ partition: `object#${EVENTS}`, from: '!', to: '~' });
      const names = rows.map(({ sk }) => sk).filter((sk) => sk.startsWith(`${namespace}/`));
      return Promise.all(names.map((name) => collecting.state(EVENTS, name)));
    },
  };
}

describe('an Event of an owner in another namespace', () => {
  it('The Event is written once, and hinted at', async () => {
    const { done, events, put, tell } = createTelling();
    await put(NAMESPACES, '/default');
    await tell('default/pod');
    const [told] = await events('default');
    expect(told?.body).toMatchObject({
      involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'pod', uid: 'u' },
      message:
        'ownerRef [apps/v1/ReplicaSet, namespace: default, name: set, uid: set] does not exist in namespace "default"',
    });
    const { name } = told?.name ?? {};
    expect(done()).toEqual([`put ${name}`, `hints ${EVENTS} 2`]);
    await tell('default/pod');
    expect(done()).toEqual([`none ${name}`]);
  });

  it('The Event about a cluster-scoped object or an unknown kind is written in `default`', async () => {
    const { events, put, tell } = createTelling();
    await put(NAMESPACES, '/default');
    await tell('/node', NODES);
    await tell('default/widget', 'example.com/widgets');
    const told = await events('default');
    expect(told.map((event) => event?.body.involvedObject)).toContainEqual(
      expect.objectContaining({ kind: 'Node', name: 'node' }),
    );
    expect(told.map((event) => event?.body.involvedObject)).toContainEqual(
      expect.objectContaining({ kind: '', apiVersion: '', name: 'widget' }),
    );
  });

  it('No Event is written if its namespace is being deleted, or if Events are not served', async () => {
    const going = createTelling();
    await going.tell('default/pod');
    await going.put(NAMESPACES, '/default', { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] });
    await going.tell('default/pod');
    expect(await going.events('default')).toEqual([]);

    const without = createTelling({ ...targetResources, of: () => undefined });
    await without.put(NAMESPACES, '/default');
    await without.tell('default/pod');
    expect(without.done()).toEqual([]);
  });
});

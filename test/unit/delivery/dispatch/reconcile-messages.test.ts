import { describe, expect, it } from '@jest/globals';
import { reconcileMessages } from '../../../../lib/delivery/dispatch/reconcile-messages.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { createStore } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { readChanges } from '../../../support/store/read-changes.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const NAME = { namespace: '', name: 'one' };
const MARKED = '2026-01-01T00:00:00Z';

/** The reconcile messages for an object that is written with these bodies in turn. Undefined deletes it. */
async function told(kind: string, ...bodies: readonly (JsonObject | undefined)[]) {
  const collection: Collection = `test/${kind.toLowerCase()}s`;
  const store = createStore({
    table: createMemoryTable(),
    clock: new OwnedClock(),
    random: seeded(1),
    logger: silentLogger,
  });
  for (const body of bodies) {
    await store.write(collection, NAME, (current) =>
      body === undefined
        ? { kind: 'delete', body: current?.body ?? {} }
        : { kind: 'put', body: { kind, ...body } },
    );
  }
  return reconcileMessages(await readChanges(store, collection));
}

const object = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { ...NAME, uid: 'u', ...metadata },
  ...more,
});

describe('the reconcile messages of a round', () => {
  it('changes of namespace labels, and new and deleted namespaces, give one message for each round', async () => {
    const labels = (team: string) => object({ labels: { team } });
    const of = (rv: number) => [{ rv, message: { kind: 'labels', rv } }];
    expect(await told('Namespace', labels('a'))).toEqual(of(2));
    expect(await told('Namespace', labels('a'), labels('b'), object({ labels: { team: 'b' } }))).toEqual(
      of(3),
    );
    expect(await told('Namespace', labels('a'), labels('a'), undefined)).toEqual(of(4));
  });

  it('only a terminating namespace gives a message of its own', async () => {
    const active = object({});
    const terminating = object({ deletionTimestamp: MARKED });
    expect(await told('Namespace', active, active, terminating, undefined)).toEqual([
      { rv: 4, message: { kind: 'namespace', name: 'one' } },
      { rv: 5, message: { kind: 'labels', rv: 5 } },
    ]);
  });

  it('every change of a definition except of its status gives a message', async () => {
    const message = { kind: 'definition', name: 'one' };
    const changes = await told(
      'CustomResourceDefinition',
      object({ generation: 1 }),
      object({ generation: 1 }, { status: { told: true } }),
      object({ generation: 2 }),
      object({ generation: 2, deletionTimestamp: MARKED }),
      undefined,
    );
    expect(changes).toEqual([2, 4, 5, 6].map((rv) => ({ rv, message })));
  });

  it.each([
    ['', 'core/pods'],
    ['apps', 'apps/pods'],
  ])('a change of a subscription gives a message, except of status, group %j', async (group, collection) => {
    const spec = { resource: { group, resource: 'pods' } };
    const message = { kind: 'subscription', name: NAME, uid: 'u', collection };
    const changes = await told(
      'Subscription',
      object({ generation: 1 }, { spec }),
      object({ generation: 1 }, { spec, status: { phase: 'Synced' } }),
      object({ generation: 1, deletionTimestamp: MARKED }, { spec }),
      undefined,
    );
    expect(changes).toEqual([2, 4, 5].map((rv) => ({ rv, message })));
  });
});

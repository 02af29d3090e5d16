import { describe, expect, it } from '@jest/globals';
import { printCounts, writeTallyStatus } from '../../../lib/delivery/counting/index.ts';
import { tellsCounts } from '../../../lib/delivery/counting/tally-status.ts';
import { parseState } from '../../../lib/delivery/subscription/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { TALLIES } from '../../../lib/kubernetes/lifecycle/own-collections.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { createStore, type ObjectState, subscriptionKey } from '../../../lib/store/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { memberRow, targetOf } from '../../support/watch/members.ts';
import { seeded } from '../../support/watch/memory-world.ts';

const name = { namespace: 'default', name: 'web' };
const collection: Collection = 'core/pods';

/** Creates a Tally of generation 2 whose row holds the count `total` for `generation`. */
async function createTally({ generation = 2, total = 3 } = {}) {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  const store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
  const metadata = { ...name, uid: 'web', generation: 2 };
  const body = { kind: 'Tally', metadata, spec: { resource: { resource: 'pods' } } };
  await store.write(TALLIES, name, () => ({ kind: 'put', body }));
  const row = {
    ...memberRow('web', {}, { uid: 'web' }),
    generation,
    groupBy: '[]',
    counts: printCounts({ total, groups: new Map() }),
  };
  await table.put({ ...row, ...subscriptionKey(collection, 'web') });
  const write = () => writeTallyStatus({ table, store, clock }, name, { uid: 'web', collection });
  const object = async (): Promise<ObjectState> => {
    const found = await store.get(TALLIES, name);
    if (found === undefined) throw new Error('no Tally');
    return found;
  };
  const state = async () =>
    parseState((await table.get(subscriptionKey(collection, 'web'))) ?? row, targetOf('pods'));
  const count = (more: number) =>
    table.update(subscriptionKey(collection, 'web'), {
      set: { counts: printCounts({ total: more, groups: new Map() }) },
    });
  return { write, object, state, count };
}

describe('the status of a Tally', () => {
  it('the status shows the counts of the current generation', async () => {
    const { write, object } = await createTally();
    await write();
    expect((await object()).body.status).toMatchObject({ count: 3, observedGeneration: 2 });
  });

  it.each([1, 3])(
    'the status of a Tally of generation 2 takes no counts of generation %i',
    async (generation) => {
      const { write, object } = await createTally({ generation });
      await write();
      expect((await object()).body.status).toBeUndefined();
    },
  );

  it('the tick sees a stale status if a count changed or the Tally was edited', async () => {
    const { write, object, state, count } = await createTally();
    expect(tellsCounts(await object(), await state())).toBe(false);
    await write();
    expect(tellsCounts(await object(), await state())).toBe(true);
    await count(4);
    expect(tellsCounts(await object(), await state())).toBe(false);
    await write();
    expect(tellsCounts(await object(), await state())).toBe(true);
    expect(tellsCounts(await object(), { ...(await state()), generation: 3 })).toBe(false);
  });
});

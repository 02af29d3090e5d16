import { describe, expect, it } from '@jest/globals';
import { KnownStates } from '../../../../lib/delivery/dispatch/known-states.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import type { Table } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { member, memberRow, targetOf } from '../../../support/watch/members.ts';

const READY = { membership: 'ready' };

/** Creates the states of one to three subscriptions to each of three resources, and counts the reads of the table. */
async function createRead(most?: number) {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  let reads = 0;
  const counting: Table = {
    ...table,
    query: (request) => {
      reads += 1;
      return table.query(request);
    },
  };
  const known = new KnownStates(most);
  for (const [at, resource] of ['pods', 'nodes', 'services'].entries()) {
    for (let count = 0; count <= at; count += 1) {
      const spec = { namespaces: 'All' };
      await table.put({ ...memberRow(`${resource}${count}`, spec, { resource }), ...READY });
    }
  }
  const read = (resource: string, version: number) =>
    known.read({ table: counting, clock, target: targetOf(resource), version });
  /** Returns the number of queries that `work` makes. */
  const asked = async (work: () => Promise<unknown>) => {
    const before = reads;
    await work();
    return reads - before;
  };
  return { table, clock, known, read, asked };
}

describe('the states that a process caches', () => {
  it('KnownStates returns synced and ready subscriptions', async () => {
    const { table, read } = await createRead();
    await table.put(memberRow('catching-up'));
    expect((await read('pods', 1)).map(({ uid }) => uid)).toEqual(['uid-pods0']);
  });

  it('KnownStates reads again if the version changed', async () => {
    const { read, asked } = await createRead();
    expect(await asked(() => read('pods', 1))).toBe(1);
    expect(await asked(() => read('pods', 1))).toBe(0);
    expect(await asked(() => read('pods', 2))).toBe(1);
  });

  it('KnownStates reads a version once more one grace later, and then no more', async () => {
    const { clock, read, asked } = await createRead();
    await read('pods', 1);
    clock.advance(TIMING.grace - 1);
    expect(await asked(() => read('pods', 1))).toBe(0);
    clock.advance(1);
    expect(await asked(() => read('pods', 1))).toBe(1);
    expect(await asked(() => read('pods', 1))).toBe(0);
    clock.advance(10 * TIMING.grace);
    expect(await asked(() => read('pods', 1))).toBe(0);
    expect(await asked(() => read('pods', 2))).toBe(1);
    clock.advance(TIMING.grace);
    expect(await asked(() => read('pods', 2))).toBe(1);
  });

  it('KnownStates returns the states that a round stored until they are forgotten', async () => {
    const { clock, known, read, asked } = await createRead();
    const kept = [member('kept')];
    known.keep({ target: targetOf('pods'), version: 1, clock }, kept);
    expect(await read('pods', 1)).toEqual(kept);
    known.forget({ target: targetOf('pods') });
    expect(await asked(() => read('pods', 1))).toBe(1);
  });

  it('KnownStates evicts the least recently used collections if the others hold too many states', async () => {
    const { read, asked } = await createRead(3);
    await read('nodes', 1);
    await read('pods', 1);
    await read('services', 1);
    // Besides the services there were three states, within the limit. Besides the pods there are five, so the two of
    // the nodes are evicted.
    expect(await asked(() => read('pods', 1))).toBe(0);
    expect(await asked(() => read('services', 1))).toBe(0);
    // Besides the nodes there are four, so the pods' one is evicted.
    expect(await asked(() => read('nodes', 1))).toBe(1);
    expect(await asked(() => read('services', 1))).toBe(0);
    expect(await asked(() => read('pods', 1))).toBe(1);
  });
});

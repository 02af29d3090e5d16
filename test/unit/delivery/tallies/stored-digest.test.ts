import { describe, expect, it } from '@jest/globals';
import { withProgress } from '../../../../lib/delivery/index.ts';
import { storedDigest } from '../../../../lib/delivery/tallies/index.ts';
import { objectAt } from '../../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { padVersion, type Row, subscriptionKey, type Table, tallyKey } from '../../../../lib/store/index.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { numbered } from '../../../support/watch/misnumbered.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const SPEC = { start: 'snapshot', verify: true, selector: { matchLabels: { app: 'x' } } };

async function statusOf({ world, clock }: MemoryWorld, table: Table = world.table) {
  const object = await world.store.get(SUBSCRIPTIONS, nameOf('default/sub'));
  return objectAt((await withProgress({ table, clock }, object?.body ?? {})).status);
}

const lastOf = async ({ world }: MemoryWorld) => {
  const { sequence, set } = numbered(await world.consume('sub')).at(-1) ?? { sequence: 0, set: '' };
  return { sequence, set };
};

describe('the stored digest of a subscription', () => {
  const key = subscriptionKey(PODS, 'u');
  const SYNCED = { membership: 'synced', step: 'journal', start: 2, attempt: 3, position: 7, tally: 'own' };
  type Told = Partial<Row> | undefined;

  /** The digest of a row, as it was read together with the cursor and as it is now. */
  async function toldOf(read: Told, now: Told = read, sent?: Partial<Row>) {
    const table = createMemoryTable();
    if (now !== undefined) await table.put({ ...key, ...now });
    if (sent !== undefined) await table.put({ ...tallyKey('u'), ...sent });
    return storedDigest(table, { key, row: { ...key, ...read }, cursor: 5 });
  }

  it('the digest is that of the state while reconcile has it, and unknown during an edit', async () => {
    const catching = { ...SYNCED, membership: 'catching-up' };
    expect(await toldOf(catching)).toEqual({ position: 7, tally: 'own' });
    expect(await toldOf({ ...catching, step: 'difference' })).toBeUndefined();
  });

  it('the digest is that of dispatch if it has the same start and attempt', async () => {
    expect(await toldOf(SYNCED)).toEqual({ position: 7, tally: 'own' });
    const sent = { place: `${padVersion(2)}/${padVersion(3)}/${padVersion(9)}`, position: 9, tally: 'sent' };
    expect(await toldOf(SYNCED, SYNCED, sent)).toEqual({ position: 9, tally: 'sent' });
    const again = { ...SYNCED, attempt: 4, position: 3 };
    expect(await toldOf(again, again, sent)).toEqual({ position: 5, tally: 'own' });
  });

  it.each([
    undefined,
    { ...SYNCED, membership: 'ready' },
    { ...SYNCED, start: 3 },
    { ...SYNCED, attempt: 4 },
  ])('the digest is unknown if the row changed meanwhile: %j', async (now) => {
    const table = createMemoryTable();
    if (now !== undefined) await table.put({ ...key, ...now });
    expect(await storedDigest(table, { key, row: { ...key, ...SYNCED }, cursor: 5 })).toBeUndefined();
  });
});

describe('the status of a verified subscription', () => {
  it('the status shows the digest of the last message and its position', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await world.put('default/a', { app: 'x' });
    await world.subscribe('sub', SPEC);
    await pump();
    expect(await statusOf(memory)).toMatchObject(await lastOf(memory));
    await world.put('default/b', { app: 'x' });
    await world.remove('default/a');
    await pump();
    const last = await lastOf(memory);
    await world.put('default/c', { app: 'y' });
    await pump();
    const position = String(await world.store.head(PODS));
    expect(await statusOf(memory)).toMatchObject({ ...last, position });
  });

  it('the digest is read after the cursor, so that it includes everything up to the position', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await world.subscribe('sub', SPEC);
    await pump();
    let requests = 0;
    const changing: Table = {
      ...world.table,
      batchGet: async (keys) => {
        const rows = await world.table.batchGet(keys);
        requests += 1;
        if (requests > 1) return rows;
        await world.put('default/a', { app: 'x' });
        await pump();
        return rows;
      },
    };
    const status = await statusOf(memory, changing);
    const position = String(await world.store.head(PODS));
    expect(status).toMatchObject({ ...(await lastOf(memory)), position });
    expect(requests).toBe(2);
  });

  it('the status has no digest without spec.verify and during an edit', async () => {
    const memory = await createMemoryWorld();
    const { world, pump } = memory;
    await world.put('default/a', { app: 'x' });
    await world.subscribe('sub', { ...SPEC, verify: false });
    await pump();
    expect(await statusOf(memory)).not.toHaveProperty('set');
    const edited = await createMemoryWorld();
    await edited.world.subscribe('sub', SPEC);
    await edited.pump();
    await edited.world.edit('sub', { selector: { matchLabels: { app: 'y' } } });
    expect(await statusOf(edited)).not.toHaveProperty('set');
    await edited.pump();
    expect(await statusOf(edited)).toHaveProperty('set');
  });
});

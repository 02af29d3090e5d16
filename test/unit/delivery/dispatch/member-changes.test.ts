import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../../lib/coordination/index.ts';
import { KnownStates } from '../../../../lib/delivery/dispatch/known-states.ts';
import { StateChanges } from '../../../../lib/delivery/dispatch/member-changes.ts';
import type { SubscriptionState } from '../../../../lib/delivery/index.ts';
import { cursorKey } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { member, targetOf } from '../../../support/watch/members.ts';
import { readCursor } from '../../../support/watch/read-cursor.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

const VERSION = 5;
const STATES = [member('a'), member('b'), member('c')];
const [A, B] = ['uid-a', 'uid-b'];

const BEFORE = 'uid-z/turn';

/**
 * A round under the lease of `me`, which read `STATES` under `VERSION`. `last`: the subscription that it activates
 * last.
 */
async function createTurn(last?: SubscriptionState) {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  const known = new KnownStates();
  const target = targetOf('pods');
  await table.put({ ...cursorKey(PODS), members: VERSION, leaseHolder: 'me' });
  const read = { version: VERSION, states: STATES, cursor: { admitting: BEFORE }, last };
  const taken = (holder: string) => new StateChanges({ table, clock, target, holder, known, ...read });
  /** The states that this process caches for a version; undefined: it has to read them. */
  const knownUnder = async (version: number) => {
    const unread = { ...table, query: () => Promise.reject(new Error('read')) };
    return known.read({ table: unread, clock, target, version }).catch(() => undefined);
  };
  return { table, clock, known, target, changes: taken('me'), ofAnother: taken('another'), knownUnder };
}

describe('The membership changes of one round', () => {
  it('The changes of one round raise the version once', async () => {
    const { table, changes } = await createTurn();
    expect(changes.seen).toBe(VERSION);
    await Promise.all([changes.begin(), changes.begin()]);
    await changes.begin();
    expect(changes.seen).toBe(VERSION + 1);
    expect(await readCursor(table, PODS)).toMatchObject({ members: VERSION + 1 });
  });

  it('The changes name the round from the first change on, by the last activated subscription', async () => {
    const { table, changes } = await createTurn(STATES[1]);
    expect(changes.admitting).toBe(BEFORE);
    await changes.begin();
    expect(changes.admitting).toBe(`${B}/me/${VERSION}`);
    expect((await readCursor(table, PODS)).admitting).toBe(changes.admitting);
  });

  it('The changes keep the name of the previous round if no subscription is activated', async () => {
    const { table, changes } = await createTurn();
    await changes.begin();
    expect(changes.admitting).toBe(BEFORE);
    expect((await readCursor(table, PODS)).admitting).toBe(BEFORE);
  });

  it('The changes of a process without the lease are not stored', async () => {
    const { table, ofAnother } = await createTurn();
    await expect(ofAnother.begin()).rejects.toThrow(LeaseHeldError);
    expect(await readCursor(table, PODS)).toMatchObject({ members: VERSION });
  });

  it('The changes leave members that another process raised to another round', async () => {
    const { table, changes, knownUnder } = await createTurn();
    await table.update(cursorKey(PODS), { add: { members: 1 } });
    await changes.begin();
    expect(changes.seen).toBe(VERSION);
    changes.settle();
    expect(await knownUnder(VERSION)).toBeUndefined();
  });

  it('The changes invalidate the cache at the first change, and fill it when the round is stored', async () => {
    const { clock, known, target, changes, knownUnder } = await createTurn();
    known.keep({ clock, target, version: VERSION }, STATES);
    await changes.begin();
    expect(await knownUnder(VERSION)).toBeUndefined();
    const synced = { ...member('a'), membership: 'synced' } as const;
    changes.note(A, synced);
    changes.note(B, undefined);
    changes.settle();
    expect(await knownUnder(VERSION + 1)).toEqual([synced, member('c')]);
  });

  it('The states are read again if one change is uncertain', async () => {
    const { changes, knownUnder } = await createTurn();
    await changes.begin();
    changes.doubt();
    changes.settle();
    expect(await knownUnder(VERSION + 1)).toBeUndefined();
  });

  it('Changes without effect leave the cache unchanged', async () => {
    const { clock, known, target, changes, knownUnder } = await createTurn();
    const before = [member('known before')];
    known.keep({ clock, target, version: VERSION }, before);
    changes.settle();
    expect(await knownUnder(VERSION)).toEqual(before);
  });
});

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

/** Creates a round under the lease of `me` that read `STATES` at `VERSION`. `last` is the last one it activates. */
async function createTurn(last?: SubscriptionState) {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  const known = new KnownStates();
  const target = targetOf('pods');
  await table.put({ ...cursorKey(PODS), members: VERSION, leaseHolder: 'me' });
  const read = { version: VERSION, states: STATES, cursor: { admitting: BEFORE }, last };
  const taken = (holder: string) => new StateChanges({ table, clock, target, holder, known, ...read });
  /** The states that this process caches for a version. Undefined if it has to read them. */
  const knownUnder = async (version: number) => {
    const unread = { ...table, query: () => Promise.reject(new Error('read')) };
    return known.read({ table: unread, clock, target, version }).catch(() => undefined);
  };
  return { table, clock, known, target, changes: taken('me'), ofAnother: taken('another'), knownUnder };
}

describe('the state changes of one round', () => {
  it('the first change raises the version of the states, and later changes do not', async () => {
    const { table, changes } = await createTurn();
    expect(changes.seen).toBe(VERSION);
    await Promise.all([changes.begin(), changes.begin()]);
    await changes.begin();
    expect(changes.seen).toBe(VERSION + 1);
    expect(await readCursor(table, PODS)).toMatchObject({ members: VERSION + 1 });
  });

  it('the first change names the round by the last activated subscription', async () => {
    const { table, changes } = await createTurn(STATES[1]);
    expect(changes.admitting).toBe(BEFORE);
    await changes.begin();
    expect(changes.admitting).toBe(`${B}/me/${VERSION}`);
    expect((await readCursor(table, PODS)).admitting).toBe(changes.admitting);
  });

  it('a round that activates nothing keeps the name of the round before', async () => {
    const { table, changes } = await createTurn();
    await changes.begin();
    expect(changes.admitting).toBe(BEFORE);
    expect((await readCursor(table, PODS)).admitting).toBe(BEFORE);
  });

  it('a dispatcher that lost the lease cannot change states', async () => {
    const { table, ofAnother } = await createTurn();
    await expect(ofAnother.begin()).rejects.toThrow(LeaseHeldError);
    expect(await readCursor(table, PODS)).toMatchObject({ members: VERSION });
  });

  it('a version that another process raised is left to the next round', async () => {
    const { table, changes, knownUnder } = await createTurn();
    await table.update(cursorKey(PODS), { add: { members: 1 } });
    await changes.begin();
    expect(changes.seen).toBe(VERSION);
    changes.settle();
    expect(await knownUnder(VERSION)).toBeUndefined();
  });

  it('the first change clears the cached states, and the end of the round caches the new ones', async () => {
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

  it('the states are read again if the outcome of a change is unknown', async () => {
    const { changes, knownUnder } = await createTurn();
    await changes.begin();
    changes.doubt();
    changes.settle();
    expect(await knownUnder(VERSION + 1)).toBeUndefined();
  });

  it('a round without changes keeps the cached states', async () => {
    const { clock, known, target, changes, knownUnder } = await createTurn();
    const before = [member('known before')];
    known.keep({ clock, target, version: VERSION }, before);
    changes.settle();
    expect(await knownUnder(VERSION)).toEqual(before);
  });
});

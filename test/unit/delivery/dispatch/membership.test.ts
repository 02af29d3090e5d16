import { describe, expect, it } from '@jest/globals';
import { LeaseHeldError } from '../../../../lib/coordination/index.ts';
import { ReconcileRequests } from '../../../../lib/coordination/reconcile-requests.ts';
import { KnownStates } from '../../../../lib/delivery/dispatch/known-states.ts';
import { StateChanges } from '../../../../lib/delivery/dispatch/member-changes.ts';
import { admit, fallBack, letGo, restart } from '../../../../lib/delivery/dispatch/membership.ts';
import { parseState, stateKey } from '../../../../lib/delivery/subscription/subscription-state.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { cursorKey, type Row } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { memberRow, targetOf } from '../../../support/watch/members.ts';
import { createMemoryQueues } from '../../../support/watch/memory-queues.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

const UID = 'uid-a';

/** Creates a round that read one state. Tests see the row, the ids of its reconcile requests, and the cached states. */
async function createTurn(given: Partial<Row>) {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  const target = targetOf('pods');
  const row = { ...memberRow('a'), queueUrl: 'url', attempt: 3, failures: 2, ...given };
  await table.put(row);
  await table.put({ ...cursorKey(PODS), leaseHolder: 'me' });
  const state = parseState(row, target);
  const known = new KnownStates();
  const turn = { table, clock, target, known, holder: 'me', version: 0, states: [state] };
  const cursor = { admitting: '' };
  const changes = new StateChanges({ ...turn, cursor, last: undefined });
  const queues = createMemoryQueues();
  const url = await queues.create('reconcile.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const notices = new ReconcileRequests({ queues, reconcileQueueUrl: url, logger: silentLogger }, 0);
  const unread = { ...table, query: () => Promise.reject(new Error('read')) };
  return {
    table,
    clock,
    state,
    key: stateKey(state),
    options: { table, clock, changes, notices, logger: silentLogger },
    row: () => table.get(row),
    async told() {
      await notices.send();
      return (await queues.drain(url)).map(({ deduplication }) => deduplication);
    },
    /** The states that this process caches after the round is stored. Undefined if it has to read them. */
    async known() {
      changes.settle();
      const states = known.read({ table: unread, clock, target, version: 1 });
      return states.then(
        (all) => all.map(({ membership, position }) => ({ membership, position })),
        () => undefined,
      );
    },
  };
}

describe('the activation of a subscription', () => {
  it('an activation is stored, cached and requests a reconciliation', async () => {
    const turn = await createTurn({ membership: 'ready', position: 4 });
    await admit(turn.options, turn.state, 7);
    expect(await turn.row()).toMatchObject({ membership: 'synced', position: 7 });
    expect(await turn.known()).toEqual([{ membership: 'synced', position: 7 }]);
    expect(await turn.told()).toEqual([`${UID}/synced/1/3`]);
  });

  it('an activation leaves a subscription that changed since it was read, and the states are read again', async () => {
    const turn = await createTurn({ membership: 'ready', position: 4 });
    await turn.table.update(turn.key, { set: { attempt: 4 } });
    await admit(turn.options, turn.state, 7);
    expect(await turn.row()).toMatchObject({ membership: 'ready', position: 4 });
    expect(await turn.known()).toBeUndefined();
  });
});

describe('the fall back of a subscription to catching up', () => {
  it('a rejected send counts as a failure and delays the next attempt', async () => {
    const turn = await createTurn({ membership: 'synced', position: 4 });
    await fallBack(turn.options, turn.state, { position: 6, failure: 'refused', message: 'not now' });
    expect(await turn.row()).toMatchObject({
      membership: 'catching-up',
      step: 'journal',
      position: 6,
      attempt: 4,
      failures: 3,
      failure: 'not now',
      nextAttempt: turn.clock.now() + 8_000,
    });
    expect(await turn.known()).toEqual([]);
    expect(await turn.told()).toEqual([`${UID}/behind/1/4`]);
  });

  it('a queue without an answer counts as a failure, and reconcile sends to it at once', async () => {
    const turn = await createTurn({ membership: 'synced', position: 4 });
    await fallBack(turn.options, turn.state, { position: 6, failure: 'slow', message: 'no answer' });
    expect(await turn.row()).toMatchObject({ failures: 3, failure: 'no answer', nextAttempt: 0 });
  });

  it.each(['gone', 'late', undefined] as const)('the fall back %s counts no failure', async (failure) => {
    const turn = await createTurn({ membership: 'synced', position: 4 });
    await fallBack(turn.options, turn.state, { position: 4, failure });
    expect(await turn.row()).toMatchObject({ attempt: 4, failures: 2, failure: '', nextAttempt: 0 });
  });
});

describe('the handover of a recalled subscription to reconcile', () => {
  it('a handover keeps the position, is stored, and requests a reconciliation with its own id', async () => {
    const turn = await createTurn({ membership: 'synced', recall: 'it was edited', attempt: 3 });
    await letGo(turn.options, turn.state, { position: 17, tally: '' });
    expect(await turn.row()).toMatchObject({
      membership: 'catching-up',
      step: 'journal',
      position: 17,
      start: 1,
      attempt: 4,
      edit: 1,
      recall: '',
      failure: 'it was edited',
    });
    expect(await turn.told()).toEqual([`${UID}/let-go/1/4`]);
  });

  it('a handover of a subscription that another dispatcher changed ends the round', async () => {
    const turn = await createTurn({ membership: 'ready', recall: 'why' });
    await turn.table.update(turn.key, { set: { membership: 'synced' } });
    await expect(letGo(turn.options, turn.state, { position: 17, tally: '' })).rejects.toThrow(
      LeaseHeldError,
    );
  });
});

describe('the restart of a subscription', () => {
  it('a restart is stored and requests a reconciliation', async () => {
    const turn = await createTurn({ membership: 'synced', recall: 'why' });
    await restart(turn.options, turn.state, 'why');
    expect(await turn.row()).toMatchObject({
      membership: 'catching-up',
      step: 'gone',
      start: 2,
      edit: 2,
      recall: '',
    });
    expect(await turn.told()).toEqual([`${UID}/restart/2`]);
  });

  it('a restart does nothing if reconcile holds the subscription or it is gone', async () => {
    const turn = await createTurn({ membership: 'synced' });
    await turn.table.update(turn.key, { set: { membership: 'catching-up', step: 'journal' } });
    await restart(turn.options, turn.state, 'why');
    expect(await turn.row()).toMatchObject({ step: 'journal', start: 1 });
    await turn.table.delete(turn.key);
    await restart(turn.options, turn.state, 'why');
    expect(await turn.row()).toBeUndefined();
  });

  it('a restart of a subscription that another dispatcher changed ends the round', async () => {
    const turn = await createTurn({ membership: 'ready' });
    await turn.table.update(turn.key, { set: { membership: 'synced' } });
    await expect(restart(turn.options, turn.state, 'why')).rejects.toThrow(LeaseHeldError);
  });
});

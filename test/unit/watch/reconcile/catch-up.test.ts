import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import { subscriptionKey } from '../../../../lib/store/index.ts';
import { journalKey } from '../../../../lib/store/keys.ts';
import { createReconciling } from '../../../support/watch/reconciling.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

const TAKEN = ['takes the lease', 'looks for the queue'];
const READY = 'membership failures nextAttempt failure, releases the lease';
const ASKED = ['raises the members', 'asks dispatch'];
const tens = (count: number) => Array.from({ length: count }, () => 'sends 10');
const catching = (step: string, more = {}) => ({ membership: 'catching-up', step, ...more });
const journal = (position: number, more = {}) => catching('journal', { position, ...more });
const NOTHING = { labelSelector: 'app=none' };

/** From the nth batch to the subscriber on, `fault` says what becomes of each. */
function faultFrom({ world }: Life, batch: number, fault: () => Error | undefined): void {
  let sent = 0;
  world.faults.send = (url) => {
    if (!url.includes('sub')) return undefined;
    sent += 1;
    return sent >= batch ? fault() : undefined;
  };
}

const notNow = () => new Error('not now');

describe('what is done before what', () => {
  it('for a subscription that begins with the next change', async () => {
    const life = await createReconciling();
    await life.reconcile();
    expect(life.done()).toEqual(['makes the row', 'makes a queue', `stores queueUrl ${READY}`, ...ASKED]);
  });

  it('for one that begins with a snapshot', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.write(2);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'stores queueUrl', 'sends 2', 'sends 1'],
      `stores step position snapshot snapshotAfter ${READY}`,
      ...ASKED,
    ]);
  });

  it('for one that begins with a snapshot of nothing', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'sends 1'],
      `stores queueUrl step position snapshot snapshotAfter ${READY}`,
      ...ASKED,
    ]);
  });

  it('for one that is to forget', async () => {
    const life = await createReconciling();
    await life.write(1);
    await life.begun(catching('gone', { failure: 'why' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...[...TAKEN, 'sends 1', 'stores step', 'stores snapshot snapshotAfter', 'sends 1', 'sends 1'],
      `stores step position snapshot snapshotAfter ${READY}`,
      ...ASKED,
    ]);
    expect(await life.received()).toEqual(['ERROR why; a fresh snapshot follows', 'ADDED p000', 'BOOKMARK']);
  });

  it('for one that has neither a queue nor its name', async () => {
    const life = await createReconciling();
    await life.begun(journal(1, { queueName: '', queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'stores queueName', 'makes a queue', `stores queueUrl ${READY}`],
      ...ASKED,
    ]);
  });

  it('for a snapshot of several pages, whose queue is told meanwhile', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.write(201);
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['makes the row', 'makes a queue', 'stores queueUrl', ...tens(10), 'stores snapshotAfter failures'],
      ...['writes the object', ...tens(10), 'stores snapshotAfter failures', 'sends 1', 'sends 1'],
      `stores step position snapshot snapshotAfter ${READY}`,
      ...ASKED,
    ]);
  });

  it('for a journal of several stretches, whose queue is told meanwhile', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'makes a queue', 'stores queueUrl', ...tens(10), 'stores position failures'],
      ...['writes the object', ...tens(10), 'stores position failures', `stores ${READY}`],
      ...ASKED,
    ]);
  });

  it('for a journal that concerns it not, where the queue is stored with the position', async () => {
    const life = await createReconciling(NOTHING);
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '' }));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...['takes the lease', 'makes a queue', 'stores queueUrl position failures', 'writes the object'],
      ...['stores position failures', `stores ${READY}`],
      ...ASKED,
    ]);
  });
});

describe('a snapshot', () => {
  it('is gone on with behind the last name that was sent', async () => {
    const life = await createReconciling();
    await life.write(3);
    await life.begun(catching('snapshot', { snapshot: 4, snapshotAfter: 'default/p001' }));
    await life.reconcile();
    expect(await life.received()).toEqual(['ADDED p002', 'BOOKMARK']);
    expect(await life.row()).toMatchObject({ snapshot: 0, snapshotAfter: '', position: 4 });
  });

  it('ends where the lease was lost', async () => {
    const life = await createReconciling();
    await life.write(150);
    await life.begun(catching('snapshot'));
    let sent = 0;
    life.world.faults.send = async () => {
      sent += 1;
      if (sent === 10) await life.set({ leaseHolder: 'another' });
      return undefined;
    };
    await expect(life.reconcile()).rejects.toThrow('leased by another');
    expect(await life.received()).toHaveLength(100);
    expect(life.queues.urls()).toContain(life.queueUrl);
  });
});

describe('reading the journal on', () => {
  it('leaves 200 changes to dispatch, and comes near where there are more', async () => {
    const near = await createReconciling();
    await near.write(200);
    await near.begun(journal(1));
    await near.reconcile();
    expect(near.done()).toEqual([...TAKEN, `stores ${READY}`, ...ASKED]);
    const far = await createReconciling();
    await far.write(201);
    await far.begun(journal(1));
    await far.reconcile();
    expect(far.done()).toEqual([
      ...TAKEN,
      ...tens(10),
      'stores position failures',
      `stores ${READY}`,
      ...ASKED,
    ]);
    expect(await far.row()).toMatchObject({ position: 101 });
  });

  it('looks at the head again when it has come near to where that was', async () => {
    const life = await createReconciling();
    await life.write(201);
    await life.begun(journal(1));
    let isWritten = false;
    life.world.faults.send = async () => {
      if (!isWritten) await life.write(200);
      isWritten = true;
      return undefined;
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({ position: 301 });
  });

  it('that a queue refuses goes on behind what it took', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { attempt: 4, failures: 2 }));
    faultFrom(life, 3, notNow);
    await life.reconcile();
    expect(await life.row()).toMatchObject({
      position: 21,
      attempt: 5,
      failures: 3,
      failure: 'not now',
      nextAttempt: life.clock.now() + 8_000,
    });
    expect(life.world.measured).toContainEqual({ metric: 'FailedSends', value: 1 });
    expect(await life.world.statusOf('sub')).toMatchObject({ phase: 'Failing' });
  });

  it.each([
    ['goes on where the time was over', {}, 'sends 10', 101],
    ['has passed what concerns it not where the time was over', NOTHING, 'stores position failures', 201],
  ])('%s, at once', async (_, spec, last, position) => {
    const life = await createReconciling(spec);
    await life.write(401);
    await life.begun(journal(1, { attempt: 4, failures: 2 }));
    let left = last === 'sends 10' ? 10 : 1;
    life.faults.before = (name) => {
      if (name === last) left -= 1;
      if (name === last && left === 0) life.clock.advance(TIMING.dispatchSends);
    };
    await life.reconcile({ hops: 7 });
    expect(await life.row()).toMatchObject({
      position,
      attempt: 5,
      failures: 0,
      failure: '',
      nextAttempt: 0,
    });
    expect(life.world.measured).toEqual([]);
    const [asked] = await life.queues.drain(life.world.reconcileQueueUrl);
    expect(asked?.deduplication).toBe(`${life.uid}/late/1/5`);
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ hops: 8 });
    expect(life.done().slice(-4)).toEqual([
      'stores position attempt failures failure nextAttempt',
      'asks reconcile',
      'writes the object',
      'releases the lease',
    ]);
  });

  it('begins anew where what it needs is compacted', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.world.store.raise(PODS, 'settled', 200);
    await life.world.store.raise(PODS, 'compacted', 200);
    for (let rv = 2; rv <= 200; rv += 1) await life.world.table.delete(journalKey(PODS, rv));
    await life.begun(journal(1));
    await life.reconcile();
    expect(life.done()).toEqual([
      ...TAKEN,
      expect.stringMatching(/^stores membership step start/),
      'writes the object',
      'releases the lease',
    ]);
    const failure = (await life.row())?.failure;
    expect(await life.row()).toMatchObject({ step: 'gone', start: 2, failure: expect.stringMatching(/./) });
    expect(await life.world.statusOf('sub')).toMatchObject({ conditions: [{ message: failure }] });
  });

  it('fails where something else is the matter', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1));
    await life.world.table.put({ ...journalKey(PODS, 50), type: 'ADDED', labels: 'none' });
    await expect(life.reconcile()).rejects.toThrow(SyntaxError);
  });
});

describe('a queue that refuses', () => {
  it('is left alone until its time has come', async () => {
    const life = await createReconciling();
    await life.begun(catching('snapshot', { nextAttempt: life.clock.now() + 1 }));
    await life.reconcile();
    expect(await life.received()).toEqual([]);
    life.clock.advance(1);
    await life.reconcile();
    expect(await life.received()).toEqual(['BOOKMARK']);
  });

  it('to be made is tried again by the schedule', async () => {
    const life = await createReconciling();
    await life.begun(journal(1, { queueUrl: '', failures: 1 }));
    life.faults.before = (name) => {
      if (name === 'makes a queue') throw new Error('not now');
    };
    await life.reconcile();
    expect(await life.row()).toMatchObject({
      failures: 2,
      failure: 'not now',
      nextAttempt: life.clock.now() + 4_000,
      queueUrl: '',
    });
    expect(life.done().slice(1)).toEqual([
      'stores failures failure nextAttempt',
      'writes the object',
      'releases the lease',
    ]);
  });

  it('to be made for who is gone by then is not left behind', async () => {
    const life = await createReconciling({ start: 'snapshot' });
    await life.begun(catching('snapshot', { queueUrl: '', queueName: 'late' }));
    life.faults.before = async (name) => {
      if (name.startsWith('stores queueUrl')) await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone');
    expect(life.queues.urls()).not.toContain('memory://late');
  });

  it('to be made for who is gone by then is sent nothing', async () => {
    const life = await createReconciling();
    await life.write(301);
    await life.begun(journal(1, { queueUrl: '', queueName: 'late' }));
    life.faults.before = async (name) => {
      if (name === 'stores queueUrl') await life.world.table.delete(subscriptionKey(PODS, life.uid));
    };
    await expect(life.reconcile()).rejects.toThrow('is gone');
    expect(life.done().slice(-3, -1)).toEqual(['stores queueUrl', 'deletes the queue']);
  });
});

describe('a subscription that is to begin anew', () => {
  const failure = async ({ row }: Life) => (await row())?.failure;
  const restart = async ({ row }: Life) => (await row())?.restart;

  it('says why: what dispatch was asked for, or that it was edited', async () => {
    const asked = await createReconciling();
    await asked.begun(
      catching('journal', { position: 1, restart: 'the queue is gone', nextAttempt: 2 ** 50 }),
    );
    await asked.reconcile();
    expect(await asked.received()).toEqual(['ERROR the queue is gone; a fresh snapshot follows', 'BOOKMARK']);
    const edited = await createReconciling();
    await edited.begun(journal(1));
    await edited.world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
    await edited.reconcile();
    expect(await edited.received()).toEqual([
      'ERROR the subscription was edited; a fresh snapshot follows',
      'BOOKMARK',
    ]);
    const lost = await createReconciling();
    await lost.begun(journal(1, { queueUrl: 'memory://lost' }));
    lost.faults.before = (name) => {
      if (name === 'makes a queue') throw new Error('not now');
    };
    await lost.reconcile();
    expect(await lost.row()).toMatchObject({ step: 'snapshot', queueUrl: '', start: 2 });
    expect(await failure(lost)).toBe('not now');
  });

  it('asks dispatch for that, once, where it is dispatch’s', async () => {
    for (const membership of ['synced', 'ready']) {
      const life = await createReconciling();
      await life.begun({ membership });
      await life.world.edit('sub', { selector: { matchLabels: { app: 'x' } } });
      await life.reconcile();
      expect(life.done()).toEqual([
        ...[...TAKEN, 'stores restart', ...ASKED],
        ...['writes the object', 'releases the lease'],
      ]);
      expect(await restart(life)).toBe('the subscription was edited');
      await life.reconcile();
      expect(life.done()).toEqual([...TAKEN, 'asks dispatch', 'releases the lease']);
    }
    const lost = await createReconciling();
    await lost.begun({ membership: 'synced', queueUrl: 'memory://lost' });
    await lost.reconcile();
    expect(await restart(lost)).toBe('the queue is gone');
  });
});

describe('the queue is looked for', () => {
  it.each([
    ['synced', false, true],
    ['synced', true, false],
    ['ready', true, true],
    ['ready', false, true],
  ])('of one that is %s, just admitted %s: %s', async (membership, isAdmitted, isLookedFor) => {
    const life = await createReconciling();
    await life.begun({ membership });
    await life.reconcile({ isAdmitted });
    expect(life.done().includes('looks for the queue')).toBe(isLookedFor);
  });
});

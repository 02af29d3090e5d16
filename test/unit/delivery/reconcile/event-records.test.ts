import { describe, expect, it } from '@jest/globals';
import { objectAt } from '../../../../lib/json/index.ts';
import { EVENT_RECORDS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { EVENTS } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { catching, createReconciling, journal } from '../../../support/watch/reconciling.ts';
import { QUEUE_ARNS } from '../../../support/watch/watch-world.ts';

type Life = Awaited<ReturnType<typeof createReconciling>>;

/** Creates a subscription in a namespace that accepts Events, and reads these Events. */
async function createTold(...[spec]: Parameters<typeof createReconciling>) {
  const life = await createReconciling(spec);
  await life.world.put('/default', {}, {}, 'core/namespaces');
  return { ...life, told: () => toldOf(life) };
}

async function toldOf({ world }: Life): Promise<string[]> {
  const { rows } = await world.table.query({ partition: `object#${EVENTS}`, from: '!', to: '~' });
  const states = await Promise.all(
    rows.map(({ sk }) => world.store.get(EVENTS, { namespace: 'default', name: sk.split('/')[1] ?? '' })),
  );
  return states
    .map((state) => state?.body ?? {})
    .map(({ reason, message, count }) => `${reason} ${count}: ${message}`)
    .sort();
}

describe('the Events of a subscription', () => {
  it('the Event of a synced subscription names its queue', async () => {
    const life = await createTold();
    await life.reconcile();
    await life.pump();
    const queueName = (await life.row())?.queueName;
    expect(await life.told()).toEqual([
      `Synced 1: changes are sent to ${QUEUE_ARNS}${queueName} as they happen`,
    ]);
    expect(await life.world.statusOf('sub')).toMatchObject({ queueArn: `${QUEUE_ARNS}${queueName}` });
    await life.reconcile({ isAdmitted: true });
    expect(await life.told()).toHaveLength(1);
  });

  it('the Event of an edit names the generation that is in effect', async () => {
    const life = await createTold();
    await life.pump();
    await life.world.edit('sub', { labelSelector: 'app=web' });
    await life.pump();
    expect(await life.told()).toContainEqual(
      expect.stringMatching(/^Edited 1: edit 2 is complete.*generation 2 /),
    );
  });

  it('the Event of a lost queue or of a restart gives the reason', async () => {
    const life = await createTold();
    await life.begun(journal(1));
    await life.queues.delete(life.queueUrl);
    await life.reconcile();
    expect(await life.told()).toEqual([
      expect.stringMatching(`^QueueLost 1: queue ${life.queueUrl} does not exist `),
    ]);

    const late = await createTold();
    await late.begun(catching('gone', { position: 0, failure: 'it stood still for too long' }));
    await late.reconcile();
    expect(await late.told()).toEqual([
      expect.stringMatching(/^StartedAfresh 1: it stood still for too long; /),
    ]);
  });

  it('the Event of a rejected message gives the reason and a count', async () => {
    const life = await createTold();
    await life.write(3);
    await life.begun(catching('difference', { position: 4 }));
    life.faults.before = (call) => {
      if (call.startsWith('sends')) throw new Error('no access');
    };
    await life.reconcile();
    expect(await life.told()).toEqual(['SendFailed 1: the queue rejected a message: no access']);
    life.clock.advance(60_000);
    await life.reconcile();
    expect(await life.told()).toEqual(['SendFailed 2: the queue rejected a message: no access']);
  });

  it('the Event of a fall back from dispatch gives the reason', async () => {
    const life = await createTold();
    const waits = { failures: 2, failure: 'refused', nextAttempt: life.clock.now() + 60_000 };
    await life.begun(journal(1, waits));
    await life.reconcile();
    await life.reconcile();
    expect(await life.told()).toEqual(['SendFailed 1: the queue rejected a message: refused']);
  });

  it('the Event of a queue that cannot be created gives the reason', async () => {
    const life = await createTold();
    life.faults.before = (call) => {
      if (call === 'makes a queue') throw new Error('too many queues');
    };
    await life.reconcile();
    expect(await life.told()).toEqual(['QueueNotMade 1: the queue cannot be created: too many queues']);
  });

  it('reconcile continues if an Event cannot be written', async () => {
    const life = await createTold();
    await life.begun({ membership: 'synced' });
    life.faults.before = (call) => {
      if (call === 'writes the object') life.faults.before = failing;
    };
    const failing = (call: string) => {
      if (call === 'writes the object') throw new Error('no table');
    };
    await life.reconcile();
    expect(life.world.problems.map(({ message }) => message)).toContain('an Event was not recorded');
    expect(objectAt((await life.world.subscription('sub'))?.body.status)).toMatchObject({ phase: 'Synced' });
  });
});

describe('the Events of a suspended subscription', () => {
  it('one Event reports the suspension', async () => {
    const life = await createTold({ suspend: true });
    await life.begun(journal(1));
    await life.reconcile();
    expect(await life.told()).toEqual([expect.stringMatching('^Suspended 1: ')]);
    await life.reconcile();
    expect(await life.told()).toEqual([expect.stringMatching('^Suspended 1: ')]);
  });
});

describe('the Event of a resumed subscription', () => {
  it('the Event names the position from which delivery continues', () => {
    expect(EVENT_RECORDS.resumed(7).message).toBe('delivery continues after resourceVersion 7');
    expect(EVENT_RECORDS.resumed(0).message).toBe('delivery starts with a new snapshot');
  });
});

describe('the message counts of a queue', () => {
  it('the counts are stored together with the release of the lease', async () => {
    const life = await createReconciling();
    await life.begun({ membership: 'synced' });
    const { attributes } = life.queues;
    Object.assign(life.queues, {
      attributes: async (url: string) => ({
        ...(await attributes(url)),
        ApproximateNumberOfMessages: '7',
        ApproximateNumberOfMessagesNotVisible: '2',
      }),
    });
    await life.reconcile();
    expect(await life.row()).toMatchObject({ waiting: 7, inFlight: 2, lookedAt: life.clock.now() });
    expect((await life.row())?.leaseHolder).toBeUndefined();
  });
});

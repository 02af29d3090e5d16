import { describe, expect, it } from '@jest/globals';
import { HintSample } from '../../../lib/coordination/hint-sample.ts';
import { createHints } from '../../../lib/coordination/index.ts';
import { idOf } from '../../../lib/coordination/internal-messages.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createMemoryQueues } from '../../support/watch/memory-queues.ts';

async function createOffers(sample?: HintSample, followsAll?: boolean) {
  const queues = createMemoryQueues();
  const queueUrl = await queues.create('events.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const measured: unknown[] = [];
  const metrics = { record: (...measurement: unknown[]) => void measured.push(measurement) };
  const hints = createHints({ queues, queueUrl, logger: silentLogger, metrics, sample, followsAll });
  return {
    hints,
    measured,
    sent: async () => (await queues.drain(queueUrl)).map(({ body }) => JSON.parse(body)),
  };
}

describe('A hint that is offered', () => {
  it.each([undefined, 0, 100])('A hint is sent after %s messages', async (hops) => {
    const { hints, measured, sent } = await createOffers();
    const hint = { collection: 'core/pods', rv: 3, ...(hops !== undefined && { hops }) } as const;
    await hints.offer(hint, 'why');
    expect(await sent()).toEqual([hint]);
    expect(measured).toEqual([]);
  });

  it('A hint is cut off after more than a hundred messages', async () => {
    const { hints, measured, sent } = await createOffers();
    await hints.offer({ collection: 'core/pods', rv: 3, hops: 101 }, 'why');
    expect(await sent()).toEqual([]);
    expect(measured).toEqual([['CutChains', 1]]);
  });
});

describe('Hints that are offered together', () => {
  it('Hints are sent together, each to its message group', async () => {
    const { hints, sent } = await createOffers();
    await hints.offer([0, 16, 32].map((group) => ({ collection: 'core/pods', group, rv: 3 })));
    expect(await sent()).toEqual([
      { collection: 'core/pods', rv: 3 },
      { collection: 'core/pods', group: 16, rv: 3 },
      { collection: 'core/pods', group: 32, rv: 3 },
    ]);
    await hints.offer([]);
    expect(await sent()).toEqual([]);
  });
});

describe('A hint about a collection that is not marked as followed', () => {
  const [pods, namespaces] = ['core/pods', 'core/namespaces'] as const;

  it('The hint is left out, unless reconcile or derive needs the changes', async () => {
    const { hints, sent } = await createOffers();
    await hints.announce(pods, 3, undefined, false);
    await hints.announce(namespaces, 4, undefined, false);
    expect(await sent()).toEqual([{ collection: namespaces, rv: 4 }]);
    await hints.announce(pods, 5, undefined, true);
    await hints.announce(pods, 6);
    expect(await sent()).toEqual([5, 6].map((rv) => ({ collection: pods, rv })));
    const deriving = await createOffers(undefined, true);
    await deriving.hints.announce(pods, 7, undefined, false);
    expect(await deriving.sent()).toEqual([{ collection: pods, rv: 7 }]);
  });
});

describe('A hint that a queue rejects', () => {
  it('A rejected hint is logged as a warning, and fails only the caller that sends many', async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const hints = createHints({ queues: createMemoryQueues(), queueUrl: 'memory://none', logger });
    const hint = { collection: 'core/pods', rv: 3 } as const;
    await hints.announce(hint.collection, hint.rv);
    expect(warnings).toEqual(['a hint was not sent; the relay sends it']);
    await hints.offer(hint);
    expect(warnings.slice(1)).toEqual(['a hint was not sent; the next tick sends it']);
    await expect(hints.send([hint])).rejects.toThrow('there is no queue');
  });
});

describe('The hint of a commit', () => {
  it('A commit sends a hint if it is in the sample', async () => {
    const clock = new OwnedClock();
    const { hints, sent } = await createOffers(new HintSample(clock, 1));
    await hints.announce('core/pods', 2);
    clock.advance(1_000);
    for (const rv of [1_002, 1_003, 2_000]) await hints.announce('core/pods', rv);
    expect((await sent()).map(({ rv }) => rv)).toEqual([2, 2_000]);
  });
});

describe('The message id of a name', () => {
  it('The id is the name up to 64 characters, and a text of that length for longer names', () => {
    expect(idOf('a'.repeat(64))).toBe('a'.repeat(64));
    expect(idOf('a'.repeat(65))).toMatch(/^[0-9a-f]{64}$/);
  });
});

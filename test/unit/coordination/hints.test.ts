import { describe, expect, it } from '@jest/globals';
import { HintSample } from '../../../lib/coordination/hint-sample.ts';
import { createHints } from '../../../lib/coordination/index.ts';
import { idOf } from '../../../lib/coordination/internal-messages.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createMemoryQueues } from '../../support/watch/memory-queues.ts';

async function createOffers(sample?: HintSample) {
  const queues = createMemoryQueues();
  const queueUrl = await queues.create('events.fifo', { attributes: { FifoQueue: 'true' }, tags: {} });
  const measured: unknown[] = [];
  const metrics = { record: (...measurement: unknown[]) => void measured.push(measurement) };
  const hints = createHints({ queues, queueUrl, logger: silentLogger, metrics, sample });
  return {
    hints,
    measured,
    sent: async () => (await queues.drain(queueUrl)).map(({ body }) => JSON.parse(body)),
  };
}

describe('a hint that is offered', () => {
  it.each([undefined, 0, 100])('is sent, where %s messages led to it', async (hops) => {
    const { hints, measured, sent } = await createOffers();
    const hint = { collection: 'core/pods', rv: 3, ...(hops !== undefined && { hops }) } as const;
    await hints.offer(hint, 'why');
    expect(await sent()).toEqual([hint]);
    expect(measured).toEqual([]);
  });

  it('is cut off where more than a hundred did', async () => {
    const { hints, measured, sent } = await createOffers();
    await hints.offer({ collection: 'core/pods', rv: 3, hops: 101 }, 'why');
    expect(await sent()).toEqual([]);
    expect(measured).toEqual([['CutChains', 1]]);
  });
});

describe('hints that are offered together', () => {
  it('go out together, each to its group', async () => {
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

describe('a hint that no queue takes', () => {
  it('is told in a warning, and fails nobody but who sends many', async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const hints = createHints({ queues: createMemoryQueues(), queueUrl: 'memory://none', logger });
    const hint = { collection: 'core/pods', rv: 3 } as const;
    await hints.announce(hint.collection, hint.rv);
    expect(warnings).toEqual(['a hint was not sent; the relay will']);
    await hints.offer(hint);
    expect(warnings.slice(1)).toEqual(['a hint was not sent; the schedule will']);
    await expect(hints.send([hint])).rejects.toThrow('there is no queue');
  });
});

describe('a commit', () => {
  it('is told where it is in the sample', async () => {
    const clock = new OwnedClock();
    const { hints, sent } = await createOffers(new HintSample(clock, 1));
    await hints.announce('core/pods', 2);
    clock.advance(1_000);
    for (const rv of [1_002, 1_003, 2_000]) await hints.announce('core/pods', rv);
    expect((await sent()).map(({ rv }) => rv)).toEqual([2, 2_000]);
  });
});

describe('the id of a name', () => {
  it('is the name where it has up to 64 characters, and else as many', () => {
    expect(idOf('a'.repeat(64))).toBe('a'.repeat(64));
    expect(idOf('a'.repeat(65))).toMatch(/^[0-9a-f]{64}$/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createHints, type Queues, relay } from '../../../lib/coordination/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { silentLogger, TIMING } from '../../../lib/platform/index.ts';
import type { GcTask } from '../../../lib/store/index.ts';
import { journalKey, lookKey } from '../../../lib/store/keys.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';

/** A relay whose queues take a moment for each batch, and longer for the first; reports the accepted messages. */
function createRelay(marked?: readonly Collection[]) {
  const clock = new OwnedClock();
  const sent: string[] = [];
  let slowness = 60;
  const queues: Pick<Queues, 'sendBatch'> = {
    sendBatch: async (url, messages) => {
      slowness -= 20;
      for (let turn = slowness; turn > 0; turn -= 1) await new Promise(setImmediate);
      sent.push(...messages.map(({ body }) => `${url} ${body}`));
      return [];
    },
  };
  const all = queues as Queues;
  const hints = createHints({ queues: all, queueUrl: 'events', logger: silentLogger });
  const asked: Collection[] = [];
  const options = {
    hints,
    queues: all,
    reconcileQueueUrl: 'reconcile',
    clock,
    logger: silentLogger,
    ...(marked && {
      marked: async (collections: readonly Collection[]) => {
        asked.push(...collections);
        return new Set(marked);
      },
    }),
  };
  return {
    asked,
    look: (what: GcTask['what'], rv: number, due = 0) =>
      lookKey({ what, collection: 'core/pods', rv, due: clock.now() + due }),
    async sentOf(...keys: Parameters<typeof relay>[1]) {
      await relay(options, keys);
      return sent.splice(0);
    },
  };
}

const hint = (collection: string, rv: number) => `events ${JSON.stringify({ collection, rv })}`;
const told = ({ pk }: { readonly pk: string }) =>
  `reconcile ${JSON.stringify({ kind: 'collect', shard: Number(pk.slice('looks#'.length)), hops: 0 })}`;

describe('the relay', () => {
  it('The relay hints at the newest entry of each collection, after it sent the messages about GC tasks', async () => {
    const { look, sentOf } = createRelay();
    const due = look('dependents', 7);
    const keys = [journalKey('core/pods', 8), due, journalKey('core/pods', 7), journalKey('core/nodes', 3)];
    expect(await sentOf(...keys)).toEqual([told(due), hint('core/pods', 8), hint('core/nodes', 3)]);
  });

  it('The relay sends messages about due GC tasks, tolerating a clock that is ahead, but not about tasks of owners', async () => {
    const { look, sentOf } = createRelay();
    const soon = look('expiry', 7, TIMING.skew);
    expect(await sentOf(soon)).toEqual([told(soon)]);
    expect(await sentOf(look('expiry', 7, TIMING.skew + 1), look('owners', 8))).toEqual([]);
  });

  it('The relay leaves out hints of collections that are not followed, and never asks about its own', async () => {
    const { asked, sentOf } = createRelay(['core/pods']);
    const keys = [journalKey('core/nodes', 3), journalKey('core/pods', 8), journalKey('core/namespaces', 4)];
    expect(await sentOf(...keys)).toEqual([hint('core/pods', 8), hint('core/namespaces', 4)]);
    expect(asked).toEqual(['core/nodes', 'core/pods']);
    expect(await sentOf(journalKey('core/namespaces', 5))).toEqual([hint('core/namespaces', 5)]);
    expect(asked).toHaveLength(2);
  });

  it('The relay sends one message per shard', async () => {
    const { look, sentOf } = createRelay();
    const looks = Array.from({ length: 40 }, (_, rv) => look('dependents', rv + 2));
    const shards = new Set(looks.map(({ pk }) => pk));
    expect(await sentOf(...looks)).toHaveLength(shards.size);
    expect(await sentOf({ pk: 'object#core/pods', sk: 'default/a' })).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { checkExpiry } from '../../../../lib/controllers/collect/check-expiry.ts';
import { recordEvent } from '../../../../lib/coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import type { EventRecord } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { EVENTS } from '../../../../lib/kubernetes/lifecycle/own-collections.ts';
import { createCollecting } from '../../../support/watch/collecting.ts';
import { nameOf } from '../../../support/watch/watch-world.ts';

const NAMESPACES: Collection = 'core/namespaces';
const HOUR = 3_600_000;
const ABOUT = { apiVersion: 'winnow.dev/v1', kind: 'Subscription', name: nameOf('default/sub'), uid: 'u' };
const LOST: EventRecord = { type: 'Warning', reason: 'QueueLost', message: 'it is gone' };

function createRaising() {
  const collecting = createCollecting();
  const events = async (): Promise<JsonObject[]> => {
    const { rows } = await collecting.table.query({ partition: `object#${EVENTS}`, from: '!', to: '~' });
    const states = await Promise.all(rows.map(({ sk }) => collecting.state(EVENTS, sk)));
    return states.map((state) => state?.body ?? {});
  };
  return {
    ...collecting,
    events,
    raise: (more: Partial<EventRecord> = {}, about = ABOUT) =>
      recordEvent(collecting.options, about, { ...LOST, ...more }),
    look: async () => {
      const { name, uid } = metadataOf((await events())[0] ?? {});
      const look = {
        what: 'expiry',
        collection: EVENTS,
        name: nameOf(`default/${name}`),
        uid: String(uid),
      } as const;
      await checkExpiry(collecting.options, look);
    },
    home: (more: JsonObject = {}) => collecting.put(NAMESPACES, '/default', more),
  };
}

describe('An Event about a subscription', () => {
  it('The Event is one for each reason, with a count', async () => {
    const { clock, events, home, raise } = createRaising();
    await home();
    await raise();
    clock.advance(60_000);
    await raise({ message: 'gone again' });
    await raise({ type: 'Normal', reason: 'Synced', message: 'well' });
    await raise({}, { ...ABOUT, uid: 'another' });
    const told = await events();
    expect(told).toHaveLength(3);
    expect(told).toContainEqual(
      expect.objectContaining({
        kind: 'Event',
        type: 'Warning',
        reason: 'QueueLost',
        message: 'gone again',
        count: 2,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:01:00Z',
        involvedObject: {
          apiVersion: 'winnow.dev/v1',
          kind: 'Subscription',
          namespace: 'default',
          name: 'sub',
          uid: 'u',
        },
      }),
    );
  });

  it('The Event is written as the second one if the first was not counted', async () => {
    const { events, home, put, raise } = createRaising();
    await home();
    await raise();
    const { name } = metadataOf((await events())[0] ?? {});
    await put(EVENTS, `default/${name}`);
    await raise();
    expect(await events()).toMatchObject([{ count: 2 }]);
  });

  it('The message of the Event is cut to the length that Kubernetes accepts', async () => {
    const { events, home, raise } = createRaising();
    await home();
    const message = 'x'.repeat(2_000);
    await raise({ message });
    await raise({ message });
    expect(String((await events())[0]?.message)).toHaveLength(1_024);
  });

  it('The Event expires one hour after its last occurrence', async () => {
    const { clock, events, home, look, raise, table } = createRaising();
    await home();
    await raise();
    clock.advance(HOUR - 1);
    await raise();
    await look();
    expect(await events()).toHaveLength(1);
    clock.advance(HOUR);
    await look();
    expect(await events()).toEqual([]);
    const looks = await Promise.all(
      [0, 1, 2, 3].map((shard) => table.query({ partition: `looks#${shard}`, from: '!', to: '~' })),
    );
    expect(looks.flatMap(({ rows }) => rows)).toHaveLength(2);
  });

  it('An Event that another component wrote stays', async () => {
    const { clock, events, look, put } = createRaising();
    await put(
      EVENTS,
      'default/theirs',
      {},
      { reportingComponent: 'theirs', lastTimestamp: '2026-01-01T00:00:00Z' },
    );
    clock.advance(2 * HOUR);
    await look();
    expect(await events()).toHaveLength(1);
  });

  it('No Event is written to a namespace that is missing or being deleted', async () => {
    const { events, home, raise } = createRaising();
    await raise();
    await home({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] });
    await raise();
    expect(await events()).toEqual([]);
  });
});

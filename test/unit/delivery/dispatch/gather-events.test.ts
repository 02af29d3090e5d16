import { describe, expect, it } from '@jest/globals';
import { gatherEvents } from '../../../../lib/delivery/dispatch/gather-events.ts';
import { SubscriptionIndex } from '../../../../lib/delivery/dispatch/subscription-index.ts';
import type { ObjectEvent } from '../../../../lib/store/watch/transition.ts';
import { member, type PodWrite, podChanges, targetOf } from '../../../support/watch/members.ts';

const EVERYTHING = { batches: Number.POSITIVE_INFINITY, heap: Number.POSITIVE_INFINITY };

/** Pod changes from resourceVersion 2 on, and two subscriptions: one to all pods, one to those labelled `even`. */
async function turn(count = 10) {
  const writes = Array.from({ length: count }, (_, at): PodWrite => {
    const labels: PodWrite['labels'] = at % 2 === 0 ? { even: 'yes' } : {};
    return { name: `default/p${at}`, labels };
  });
  const changes = await podChanges(writes);
  const index = new SubscriptionIndex(targetOf('pods'));
  index.refresh([member('all'), member('even', { labelSelector: 'even' })]);
  const all = { floor: 1, events: [] as ObjectEvent[] };
  const even = { floor: 1, events: [] as ObjectEvent[] };
  const recipients = new Map([
    ['uid-all', all],
    ['uid-even', even],
  ]);
  const options = { index, recipients, changes, cursor: 1, upTo: count + 1, most: EVERYTHING };
  return { all, even, options };
}

const versions = ({ events }: { readonly events: readonly ObjectEvent[] }) =>
  events.map(({ object }) => object.rv);

describe('gatherEvents', () => {
  it('gatherEvents gives each subscription the changes that concern it, in order', async () => {
    const { all, even, options } = await turn();
    expect(gatherEvents(options)).toBe(11);
    expect(versions(all)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(versions(even)).toEqual([2, 4, 6, 8, 10]);
  });

  it('gatherEvents gives a subscription only changes above its floor', async () => {
    const { all, even, options } = await turn();
    const recipients = new Map([
      ['uid-all', { ...all, floor: 9 }],
      ['uid-even', { ...even, floor: 6 }],
    ]);
    gatherEvents({ ...options, recipients });
    expect([versions(all), versions(even)]).toEqual([
      [10, 11],
      [8, 10],
    ]);
  });

  it('gatherEvents shares one event among all subscriptions with the same view of a change', async () => {
    const { all, even, options } = await turn();
    gatherEvents(options);
    expect(even.events[0]).toBe(all.events[0]);
  });

  it('gatherEvents leaves the rest to the next round at the limit of batches', async () => {
    const { all, even, options } = await turn(24);
    expect(gatherEvents({ ...options, most: { ...EVERYTHING, batches: 3 } })).toBe(12);
    expect([all.events.length, even.events.length]).toEqual([11, 6]);
  });

  it('gatherEvents leaves the rest to the next round at the limit of memory', async () => {
    const { all, options } = await turn();
    const heap = options.changes.slice(0, 3).reduce((sum, change) => sum + change.heap, 0);
    expect(gatherEvents({ ...options, most: { ...EVERYTHING, heap } })).toBe(4);
    expect(versions(all)).toEqual([2, 3, 4]);
  });

  it('gatherEvents goes at least one change beyond the cursor, despite any backlog', async () => {
    const { all, options } = await turn();
    expect(gatherEvents({ ...options, cursor: 6, most: { batches: 1, heap: 1 } })).toBe(7);
    expect(versions(all)).toEqual([2, 3, 4, 5, 6, 7]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../../lib/platform/index.ts';
import { cursorKey, measuredTable, noReadCost } from '../../../../lib/store/index.ts';
import { memberRow } from '../../../support/watch/members.ts';
import { createMemoryWorld } from '../../../support/watch/memory-world.ts';
import { PODS, type WatchWorldOptions } from '../../../support/watch/watch-world.ts';

/** Measures the reads of a round whose change concerns one subscription, while `others` are synced. */
async function readsBeside(others: number) {
  const tally = noReadCost();
  const reach: WatchWorldOptions['reach'] = (owner, outside) =>
    owner === 'dispatch' ? { ...outside, table: measuredTable(outside.table, tally) } : outside;
  const memory = await createMemoryWorld(1, { reach, groupSize: 20_000 });
  const { world, clock, pump } = memory;
  await world.subscribe('one', { start: 'snapshot', labelSelector: 'app=x' });
  await pump();
  const synced = { membership: 'synced', position: 1, queueUrl: 'nowhere' };
  for (let at = 0; at < others; at += 1) {
    const spec = { labelSelector: `app=other${at % 100}` };
    const uid = world.random.uuid();
    await world.table.put({ ...memberRow(`other${at}`, spec, { uid }), ...synced });
  }
  await world.table.update(cursorKey(PODS), { add: { members: 1 } });
  const turn = async () => {
    const before = { ...tally };
    await world.put('default/p', { app: 'x' });
    for (const { body } of await world.queues.drain(world.eventQueueUrl)) {
      const hint = JSON.parse(body);
      if (hint.collection === PODS) await clock.during(world.dispatcher.dispatch(hint));
    }
    return { requests: tally.requests - before.requests, rows: tally.rows - before.rows };
  };
  const first = await turn();
  // The states are read once more one grace later, and then not again.
  clock.advance(TIMING.grace);
  await turn();
  return { first, next: await turn(), sent: (await world.consume('one')).known };
}

describe('the reads of a round', () => {
  it('the reads of a round do not grow with the subscriptions that it does not concern', async () => {
    const [few, many] = [await readsBeside(10), await readsBeside(10_000)];
    expect(many.next).toEqual(few.next);
    expect(many.next.rows).toBeLessThan(10);
    expect(many.first.rows - few.first.rows).toBe(9_990);
    expect(many.sent).toEqual(few.sent);
    expect(many.sent).toHaveLength(1);
  });
});

import { describe, expect, it } from '@jest/globals';
import { forgetProved, noteProved, returnToken, takeToken } from '../../../lib/delivery/proofs/index.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { subscriptionKey } from '../../../lib/store/index.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

const queueArn = 'arn:aws:sqs:eu-central-1:111122223333:victim.fifo';
const collection: Collection = 'core/pods';
const HOUR = 3_600_000;

function createProofs() {
  const table = createMemoryTable();
  const clock = new OwnedClock();
  const options = { table, clock };
  const of = (namespace: string, name = 'sub', uid = `${namespace}-${name}`) => ({
    queueArn,
    collection,
    uid,
    name: { namespace, name },
  });
  /** The row of a Subscription that sends to the queue. */
  const serve = (uid: string, queueUrl = 'https://q') =>
    table.put({ ...subscriptionKey(collection, uid), queueArn, queueUrl });
  return {
    table,
    clock,
    options,
    of,
    serve,
    take: (...given: Parameters<typeof of>) => takeToken(options, of(...given)),
  };
}

describe('the tokens of a user-owned queue', () => {
  it('a queue gets one token of a Subscription in an hour, also if the Subscription is recreated', async () => {
    const { take, clock } = createProofs();
    expect(await take('a')).toBeUndefined();
    expect(await take('a', 'sub', 'another-uid')).toContain('the next one in 60 minutes');
    clock.advance(HOUR - 1);
    expect(await take('a')).toContain('the next one in 1 minutes');
    clock.advance(1);
    expect(await take('a')).toBeUndefined();
  });

  it('a queue gets tokens of several namespaces until one has proved it, and then only of that one', async () => {
    const { take, of, options, serve } = createProofs();
    await take('a');
    expect(await take('b')).toBeUndefined();
    await noteProved(options, of('a'));
    await serve('a-sub');
    expect(await take('c')).toBe(
      `${queueArn} takes no token: a Subscription of another namespace has proved it`,
    );
    expect(await take('a', 'second')).toBeUndefined();
    await forgetProved(options, of('a'));
    expect(await take('c')).toBeUndefined();
  });

  it('a Subscription that is gone, or no longer sends to the queue, does not reserve it', async () => {
    const { take, of, options, serve } = createProofs();
    await noteProved(options, of('a'));
    expect(await take('b')).toBeUndefined();
    await serve('a-sub', '');
    expect(await take('c')).toBeUndefined();
  });

  it('a queue gets at most ten tokens of a namespace in an hour, and sixty in total', async () => {
    const { take } = createProofs();
    const taken: Record<string, number> = {};
    for (const namespace of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      for (let at = 0; at < 12; at += 1) {
        const isTaken = (await take(namespace, `sub-${at}`)) === undefined;
        if (isTaken) taken[namespace] = (taken[namespace] ?? 0) + 1;
      }
    }
    expect(taken).toEqual({ a: 10, b: 10, c: 10, d: 10, e: 10, f: 10 });
  });

  it('a queue gets one of two concurrent tokens', async () => {
    const { take } = createProofs();
    const both = await Promise.all([take('a', 'x'), take('a', 'y')]);
    expect(both.filter((why) => why === undefined)).toHaveLength(1);
    expect(both.join()).toContain('is just getting the token of another Subscription');
  });

  it('a token that a queue rejected may be sent again at once', async () => {
    const { take, options, of } = createProofs();
    await take('a');
    await returnToken(options, of('a'));
    expect(await take('a')).toBeUndefined();
  });

  it('the row of a queue stays while a Subscription has proved it, and otherwise for two hours', async () => {
    const { take, of, options, table, clock } = createProofs();
    await take('a');
    const row = async () =>
      (await table.query({ partition: `proof#${queueArn}`, from: '!', to: '~' })).rows[0];
    expect((await row())?.ttl).toBe(Math.ceil((clock.now() + 2 * HOUR) / 1_000));
    await noteProved(options, of('a'));
    await noteProved(options, of('a'));
    expect(await row()).toMatchObject({ version: 2 });
    expect(await row()).not.toHaveProperty('ttl');
  });
});

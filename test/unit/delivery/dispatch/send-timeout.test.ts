import { describe, expect, it } from '@jest/globals';
import { QueueSlowError } from '../../../../lib/coordination/queues.ts';
import { SendTimeout } from '../../../../lib/delivery/dispatch/send-timeout.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clocks/virtual-clock.ts';
import { createMemoryQueues } from '../../../support/watch/memory-queues.ts';

const MESSAGES = [{ body: 'x' }];

/** Queues that answer when the test lets them. */
function createSending<Time extends OwnedClock | VirtualClock>(clock: Time) {
  const answers = new Map<string, () => void>();
  const signals = new Map<string, AbortSignal | undefined>();
  const queues = {
    ...createMemoryQueues(),
    sendBatch: (url: string, _: unknown, signal?: AbortSignal) => {
      signals.set(url, signal);
      return new Promise<readonly number[]>((resolve) => answers.set(url, () => resolve([])));
    },
  };
  const patience = new SendTimeout({ queues, clock });
  const ended: string[] = [];
  return {
    clock,
    signals,
    /** The ended sends with their outcome, in order. */
    ended,
    send(url: string): void {
      const end = (how: string) => void ended.push(`${url} ${how}`);
      patience.sendBatch(url, MESSAGES).then(
        () => end('answered'),
        (error: unknown) => end(error instanceof QueueSlowError ? error.message : String(error)),
      );
    },
    async answer(url: string): Promise<void> {
      answers.get(url)?.();
      await new Promise(setImmediate);
    },
    async advance(milliseconds: number): Promise<void> {
      clock.advance(milliseconds);
      await new Promise(setImmediate);
    },
  };
}

describe('the timeout of the sends of a round', () => {
  it('a send times out after half a second if others answered soon, and its request is aborted', async () => {
    const sending = createSending(new OwnedClock());
    sending.send('stalled');
    sending.send('well');
    await sending.answer('well');
    await sending.advance(599);
    expect(sending.ended).toEqual(['well answered']);
    await sending.advance(1);
    expect(sending.ended).toEqual(['well answered', 'stalled no answer within 500 ms']);
    expect(sending.signals.get('stalled')?.aborted).toBe(true);
    expect(sending.signals.get('well')?.aborted).toBe(false);
    expect(sending.clock.sleepers).toBe(0);
  });

  it('the timeout is ten times the slowest answer', async () => {
    const sending = createSending(new OwnedClock());
    for (const url of ['stalled', 'slow', 'well']) sending.send(url);
    await sending.answer('well');
    await sending.advance(300);
    await sending.answer('slow');
    await sending.advance(2_799);
    expect(sending.ended).toEqual(['well answered', 'slow answered']);
    await sending.advance(1);
    expect(sending.ended).toContain('stalled no answer within 3000 ms');
  });

  it('the timeout is that of a single request if no queue has answered, because all may be slow', async () => {
    const sending = createSending(new OwnedClock());
    for (const url of ['one', 'two']) sending.send(url);
    await sending.advance(4_099);
    expect(sending.ended).toEqual([]);
    await sending.advance(1);
    expect(sending.ended).toEqual(['one no answer within 4000 ms', 'two no answer within 4000 ms']);
  });

  it('a pause of the process itself times out no send', async () => {
    // The timers of this clock fire late, and only once.
    const sending = createSending(createVirtualClock());
    for (const url of ['well', 'also']) sending.send(url);
    await sending.answer('well');
    await sending.advance(60_000);
    await sending.answer('also');
    expect(sending.ended).toEqual(['well answered', 'also answered']);
  });

  it('no timer runs while no send is under way', async () => {
    const sending = createSending(new OwnedClock());
    sending.send('well');
    await sending.answer('well');
    await sending.advance(100);
    expect(sending.clock.sleepers).toBe(0);
    sending.send('next');
    expect(sending.clock.sleepers).toBe(1);
    await sending.answer('next');
    expect(sending.ended).toEqual(['well answered', 'next answered']);
  });
});

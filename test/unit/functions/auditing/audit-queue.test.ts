import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditQueue, PATIENCE } from '../../../../functions/auditing/audit-queue.ts';
import type { Queues } from '../../../../lib/coordination/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import type { TestQueues } from '../../../support/watch/memory-queues.ts';
import { startTestQueues } from '../../../support/watch/test-queues.ts';

const clock = new OwnedClock();
let queues: TestQueues;
let url: string;
let measured: unknown[];
let logged: unknown[];

beforeAll(async () => {
  queues = await startTestQueues();
  url = await queues.create('audit-of-a-test', { attributes: {}, tags: {} });
});
afterAll(() => queues.stop());
beforeEach(() => {
  measured = [];
  logged = [];
});

const audited = (open: () => Promise<Pick<Queues, 'sendBatch'>>, to = url) =>
  new AuditQueue({
    url: to,
    open,
    clock,
    logger: { ...silentLogger, error: (message, fields) => logged.push([message, fields]) },
    metrics: { record: (name, value) => measured.push([name, value]) },
  });
const event = (auditID: string) => ({ kind: 'Event', auditID, stage: 'ResponseComplete', verb: 'get' });
const unsent = 'audit events were not sent to their queue';

describe('The queue of audit events', () => {
  it('The queue receives each event once, as the log has it, in any number', async () => {
    const queue = audited(async () => queues);
    await queue.settle();
    const events = Array.from({ length: 23 }, (_, at) => event(String(at).padStart(2, '0')));
    for (const one of events) queue.keep(one);
    await Promise.all([queue.settle(), queue.settle()]);
    const got = (await queues.drain(url)).map(({ body }) => JSON.parse(body));
    expect(got.toSorted((one, other) => one.auditID.localeCompare(other.auditID))).toEqual(events);
    expect([measured, logged]).toEqual([[], []]);
  });

  it('Events that the queue rejects are logged, and the next ones are sent', async () => {
    const queue = audited(async () => ({
      sendBatch: async (to, messages) => {
        const [, ...others] = messages;
        return [0, ...(await queues.sendBatch(to, others)).map((index) => index + 1)];
      },
    }));
    for (const id of ['a', 'b']) queue.keep(event(id));
    await queue.settle();
    expect((await queues.drain(url)).map(({ body }) => JSON.parse(body).auditID)).toEqual(['b']);
    expect(logged).toEqual([
      [unsent, { error: undefined, events: [{ auditID: 'a', stage: 'ResponseComplete' }] }],
    ]);
    expect(measured).toEqual([['UnsentAuditEvents', 1]]);
  });

  it('A queue that is missing or cannot be opened fails no request', async () => {
    for (const queue of [
      audited(async () => queues, `${url}-of-nobody`),
      audited(() => Promise.reject(new Error('no client'))),
    ]) {
      queue.keep(event('a'));
      await queue.settle();
    }
    expect(measured).toEqual([
      ['UnsentAuditEvents', 1],
      ['UnsentAuditEvents', 1],
    ]);
  });

  it('A queue that does not answer delays a request by one second', async () => {
    const began = clock.now();
    const queue = audited(async () => ({
      sendBatch: (_url, _messages, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    }));
    queue.keep(event('a'));
    const settling = queue.settle();
    await setImmediate();
    clock.advance(PATIENCE);
    await settling;
    expect(clock.now() - began).toBe(PATIENCE);
    expect(measured).toEqual([['UnsentAuditEvents', 1]]);
  });
});

import { Fault, UncheckedError } from '../../connection/index.ts';
import { Queue, type ReceivedEvent } from '../../queue.ts';
import type { Examination, Step } from '../examination.ts';
import { type Change, followChanges } from '../follow-changes.ts';
import { explainSqs, sqsAccess } from '../sqs-access.ts';
import { SUBSCRIBED } from './subscribe.ts';

export const deliver: Step = {
  name: 'deliver to the queue',
  run: async (examination) => {
    const { queueUrl, patience, signal } = examination;
    if (queueUrl === undefined) throw new UncheckedError('no subscription is Synced');
    const queue = new Queue(queueUrl, sqsAccess(queueUrl));
    const waiting: ReceivedEvent[] = [];
    try {
      // Check that the queue can be read before changing any object.
      waiting.push(...(await receive(queue, 0, signal)));
      const { events, slowest } = await followChanges(examination, {
        name: SUBSCRIBED,
        receive: (change) => nextEvent(queue, waiting, change, examination),
      });
      if (slowest > patience.late / 1_000) throw late(slowest);
      return `${events} messages: entered, changed, left; the slowest took ${slowest.toFixed(1)} s`;
    } finally {
      queue.close();
    }
  },
};

async function receive(queue: Queue, seconds: number, signal: AbortSignal): Promise<ReceivedEvent[]> {
  return queue.receive(seconds, signal).catch((error) => {
    signal.throwIfAborted();
    throw explainSqs(error) ?? unreadable(error);
  });
}

async function nextEvent(
  queue: Queue,
  waiting: ReceivedEvent[],
  change: Change,
  { patience, signal }: Examination,
): Promise<ReceivedEvent> {
  const end = performance.now() + patience.delivery;
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) return next;
    const left = Math.ceil((end - performance.now()) / 1_000);
    if (left <= 0) throw undelivered(change, patience.delivery / 1_000);
    waiting.push(...(await receive(queue, Math.min(left, 10), signal)));
  }
}

function unreadable(error: unknown): Fault {
  const { name, message } = error as Error;
  return new Fault({
    what: `the subscription is Synced, but SQS refuses to read its queue: ${name}: ${message}`,
    advice: 'Was the queue deleted, or do the AWS credentials belong to another account?',
    runbook: 'a-subscription-does-not-get-synced',
  });
}

function undelivered({ what, event }: Change, seconds: number): Fault {
  return new Fault({
    what: `${what}, but the queue received no ${event} within ${seconds} s: Winnow does not dispatch changes`,
    advice:
      "Find the error in the dispatch function's log, or in the logs of relay and reconcile, which repeat hints to dispatch",
    runbook: 'messages-that-were-set-aside',
  });
}

function late(seconds: number): Fault {
  return new Fault({
    what: `a message took ${seconds.toFixed(0)} s: dispatch got no hint from the write or the relay, only from the schedule, which runs once a minute`,
    advice:
      'Look for "a hint was not sent; the relay sends it" in the write function\'s log, and for errors in the logs of relay and dispatch',
    runbook: 'look',
  });
}

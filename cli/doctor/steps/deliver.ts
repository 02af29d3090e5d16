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
    if (queueUrl === undefined) throw new UncheckedError('there is no subscription to deliver to');
    const queue = new Queue(queueUrl, sqsAccess(queueUrl));
    const waiting: ReceivedEvent[] = [];
    try {
      // Whoever cannot read the queue learns that before anything is changed.
      waiting.push(...(await receive(queue, 0, signal)));
      const { events, slowest } = await followChanges(examination, {
        name: SUBSCRIBED,
        receive: (change) => nextEvent(queue, waiting, change, examination),
      });
      if (slowest > patience.late / 1_000) throw late(slowest);
      return `${events} messages: entered, changed, left; the slowest after ${slowest.toFixed(1)} s`;
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
    what: `the subscription is Synced, and SQS refuses its queue: ${name}: ${message}`,
    advice: 'Was the queue deleted, or are the AWS credentials of another account?',
    runbook: 'a-subscription-does-not-get-synced',
  });
}

function undelivered({ what, event }: Change, seconds: number): Fault {
  return new Fault({
    what: `${what}, and within ${seconds} s no ${event} came on the queue: changes are not dispatched`,
    advice:
      "Find the error in the dispatch function's log, and in the relay's and reconcile's, which repeat what dispatch did not get",
    runbook: 'messages-in-eventsdeadletters',
  });
}

function late(seconds: number): Fault {
  return new Fault({
    what: `a message took ${seconds.toFixed(0)} s: only the schedule brings it, once a minute, and neither the write nor the relay`,
    advice:
      "Look for \"a hint was not sent; the relay will\" in the write function's log, and for errors in the relay's and dispatch's",
    runbook: 'look',
  });
}

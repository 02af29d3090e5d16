import { TIMING } from '../../platform/index.ts';
import { dueKey } from '../../store/index.ts';
import { acquireLease, LeaseHeldError, releaseLease } from '../lease.ts';
import { sendInOrder } from '../send.ts';
import { withDeadline } from '../with-deadline.ts';
import type { Derived } from './derivation.ts';
import type { DeriverOptions } from './deriver-options.ts';
import { type DueMessage, timedMessage } from './due-message.ts';
import { enqueue } from './enqueue.ts';
import { sendDue } from './send-due.ts';
import { TooEarlyError } from './too-early-error.ts';
import { isDue, parseDue, settleRow, type WorkItem } from './work-items.ts';

/** `signal` is the end of the invocation's time. */
export interface Deriver {
  /**
   * Looks at the row of a subject: derives what is due, or does nothing.
   *
   * @throws {LeaseHeldError} another one does; {@link TooEarlyError}; the message comes again. And whatever deriving throws.
   */
  derive(message: DueMessage, signal?: AbortSignal): Promise<void>;
  /** The schedule's minute: sends again whatever is due, so that nothing depends on any one message. */
  tick(signal?: AbortSignal): Promise<void>;
}

/** In ms: SQS holds a message back for 12 hours at most. */
const LATEST = 11 * 3_600_000;

export function createDeriver(given: DeriverOptions): Deriver {
  return {
    derive: (message, signal) => deriveDue(withDeadline(given, signal), message),
    tick: (signal) => sendDue(withDeadline(given, signal)),
  };
}

/**
 * The lease lets one at a time derive for a subject, or the older of two could write last. What is wanted is read with
 * it, before anything that is derived from: so a change that comes later than what was read has moved it, and the row
 * stays.
 */
async function deriveDue(options: DeriverOptions, { collection, name, at = 0 }: DueMessage): Promise<void> {
  const { table, clock, random, derivation } = options;
  const early = at - clock.now();
  if (early > 0) throw new TooEarlyError(early);
  const key = dueKey(collection, name);
  const lease = {
    table,
    clock,
    key,
    holder: random.uuid(),
    lifetime: TIMING.reconcileLease,
    condition: [{ attribute: 'sk', is: '=', value: key.sk } as const],
  };
  const row = await acquireLease(lease);
  if (row === undefined) {
    if ((await table.get(key)) === undefined) return;
    throw new LeaseHeldError(`${key.sk} is leased`);
  }
  try {
    const due = parseDue(row);
    const derived = await derivedFor(options, due);
    const { holder } = lease;
    await settleRow(table, { due, holder, derived, collections: derivation.collections });
    if (derived.next !== undefined && derived.next !== due.time) await wakeAt(options, due, derived.next);
  } catch (error) {
    await releaseLease(lease);
    throw error;
  }
}

/** As near to its time as may be; what is later, or not accepted, the schedule finds. */
async function wakeAt(
  { clock, queues, queueUrl }: DeriverOptions,
  { subject }: WorkItem,
  next: number,
): Promise<void> {
  if (next - clock.now() < LATEST) await sendInOrder(queues, queueUrl, [timedMessage(subject, next)]);
}

async function derivedFor(options: DeriverOptions, due: WorkItem): Promise<Derived> {
  const { seen, time, subject, wanted } = due;
  if (!isDue(due, options.clock.now())) return { seen, ...(time !== undefined && { next: time }) };
  const derived = await options.derivation.derive(options, subject, wanted);
  if (derived.owed !== undefined) await enqueue(options, derived.owed);
  return derived;
}

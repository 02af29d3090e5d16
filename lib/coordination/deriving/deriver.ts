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

/** Processes work items. `signal` is the end of the invocation's time. */
export interface Deriver {
  /**
   * Reads a subject's work item and derives its data if that is due. Errors of the derivation pass through.
   *
   * @throws {LeaseHeldError} another process derives for the subject. {@link TooEarlyError} the message is early. After
   * both, SQS delivers the message again.
   */
  derive(message: DueMessage, signal?: AbortSignal): Promise<void>;
  /** Sends a message for every due work item, once a minute, so that nothing depends on a single message. */
  tick(signal?: AbortSignal): Promise<void>;
}

/** The longest delay of a message, in ms. SQS hides a message for at most 12 hours. */
const LATEST = 11 * 3_600_000;

export function createDeriver(given: DeriverOptions): Deriver {
  return {
    derive: (message, signal) => deriveDue(withDeadline(given, signal), message),
    tick: (signal) => sendDue(withDeadline(given, signal)),
  };
}

/**
 * Derives data for a subject under the lease, so that the older of two processes cannot write last. The wanted versions
 * are read with the lease, before any input of the derivation. A change that is newer than these inputs has raised the
 * wanted version, so the row stays.
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

/**
 * Sends a message for `next`, as close to that time as possible. `tick` sends the messages for later times, and those
 * that SQS did not accept.
 */
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

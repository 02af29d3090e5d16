import { MOST_MESSAGES } from '../../coordination/index.ts';
import type { Transition } from '../../selectors/index.ts';
import type { JournalChange } from '../../store/index.ts';
import { eventOf, type ObjectEvent } from '../../store/index.ts';
import type { Deltas } from '../counting/index.ts';
import type { SubscriptionIndex } from './subscription-index.ts';

/** A subscription in one round. */
export interface Recipient {
  /** Everything up to this resourceVersion was sent to it. */
  readonly floor: number;
  /** The events to send to it now, in the journal's order. */
  readonly events: ObjectEvent[];
  /** For a Tally: the effects of the changes on its counts. Winnow sends it no events. */
  readonly deltas?: Deltas | undefined;
}

/** Whether the round has events or deltas for the recipient. */
export function hasNews({ events, deltas }: Recipient): boolean {
  return events.length > 0 || deltas?.isEmpty === false;
}

export interface GatherOptions {
  readonly index: SubscriptionIndex;
  /** The recipients for the index's subscriptions, by uid. */
  readonly recipients: ReadonlyMap<string, Recipient>;
  /** The changes up to `upTo`, ascending. */
  readonly changes: readonly JournalChange[];
  readonly cursor: number;
  readonly upTo: number;
  /**
   * The limits of one round: batches to send, and bytes of heap for its changes. The round stops at the first change
   * above the cursor that reaches a limit. The next round takes the rest.
   */
  readonly most: { readonly batches: number; readonly heap: number };
}

/**
 * Adds each change to the events of its recipients. Returns the resourceVersion up to which it has added all changes:
 * `upTo`, or less.
 */
export function gatherEvents(options: GatherOptions): number {
  const { index, recipients, changes, cursor, upTo, most } = options;
  let batches = 0;
  let heap = 0;
  for (const change of changes) {
    const told: Partial<Record<Transition, ObjectEvent>> = {};
    index.visit(change, (uid, how) => {
      const recipient = recipients.get(uid);
      if (recipient === undefined || change.rv <= recipient.floor) return;
      if (recipient.deltas !== undefined) return recipient.deltas.note(change, how);
      told[how] ??= eventOf(change, how);
      if (recipient.events.length % MOST_MESSAGES === 0) batches += 1;
      recipient.events.push(told[how]);
    });
    heap += change.heap;
    if (change.rv > cursor && (batches >= most.batches || heap >= most.heap)) return change.rv;
  }
  return upTo;
}

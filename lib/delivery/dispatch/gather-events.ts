import { MOST_MESSAGES } from '../../coordination/index.ts';
import type { Transition } from '../../selectors/index.ts';
import type { JournalChange } from '../../store/index.ts';
import { eventOf, type ObjectEvent } from '../../store/index.ts';
import type { Deltas } from '../counting/index.ts';
import type { SubscriptionIndex } from './subscription-index.ts';

/** A member in one turn. */
export interface Recipient {
  /** It was sent everything up to here. */
  readonly floor: number;
  /** What it is to be sent now, in the journal's order. */
  readonly events: ObjectEvent[];
  /** Where it is sent nothing, and counted: what the changes are to its counts. */
  readonly deltas?: Deltas | undefined;
}

/** Whether a turn has anything for it. */
export function hasNews({ events, deltas }: Recipient): boolean {
  return events.length > 0 || deltas?.isEmpty === false;
}

export interface GatherOptions {
  readonly index: SubscriptionIndex;
  /** The index's members, by uid. */
  readonly recipients: ReadonlyMap<string, Recipient>;
  /** Up to `upTo`, ascending. */
  readonly changes: readonly JournalChange[];
  readonly cursor: number;
  readonly upTo: number;
  /**
   * Where so many batches are to be sent, or its changes take so many bytes of the heap, and one change above the
   * cursor, the rest is left to another turn.
   */
  readonly most: { readonly batches: number; readonly heap: number };
}

/** Gives each recipient its events of the changes. Answers up to where that was done: `upTo`, or less. */
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

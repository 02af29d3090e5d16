import type { Transition } from '../../selectors/index.ts';
import type { JournalChange } from '../../store/index.ts';
import { MOST_MESSAGES } from '../send.ts';
import { eventOf, type ObjectEvent } from '../transition.ts';
import type { MemberIndex } from './member-index.ts';

/** A member in one turn. */
export interface Recipient {
  /** It was sent everything up to here. */
  readonly floor: number;
  /** What it is to be sent now, in the journal's order. */
  readonly events: ObjectEvent[];
}

export interface GatherOptions {
  readonly index: MemberIndex;
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
      told[how] ??= eventOf(change, how);
      if (recipient.events.length % MOST_MESSAGES === 0) batches += 1;
      recipient.events.push(told[how]);
    });
    heap += change.heap;
    if (change.rv > cursor && (batches >= most.batches || heap >= most.heap)) return change.rv;
  }
  return upTo;
}

import type { Asked, Snapshot } from '../history.ts';
import { selectorOf } from './naive-selector.ts';
import type { Change, Truth } from './truth.ts';

/** The effect of one change for a reader: the event that has to be delivered. */
export interface Transition {
  readonly rv: number;
  /** Below `rv` if the exact resourceVersion is unknown. */
  readonly since: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object as delivered. For a DELETED: the last matching state, with the change's resourceVersion. */
  readonly object: Snapshot;
  readonly change: Change;
}

/** All transitions that a reader with this request has to receive, ascending by resourceVersion. */
export function transitionsOf({ changes }: Truth, asked: Asked): Transition[] {
  const selects = selectorOf(asked);
  return changes.flatMap((change) => transitionOf(change, selects) ?? []);
}

function transitionOf(change: Change, selects: (snapshot: Snapshot) => boolean): Transition | undefined {
  const { rv, since, before, after } = change;
  const matched = before !== undefined && selects(before);
  if (after !== undefined && selects(after)) {
    return { rv, since, type: matched ? 'MODIFIED' : 'ADDED', object: after, change };
  }
  return matched ? { rv, since, type: 'DELETED', object: { ...before, rv }, change } : undefined;
}

/** Whether an object may have left a request unnoticed, by a write of unknown outcome that no reader saw. */
export function mayHaveLeft({ unseen }: Truth, asked: Asked, object: string): boolean {
  const candidates = unseen.get(object);
  if (candidates === undefined) return false;
  const selects = selectorOf(asked);
  return candidates.some(({ wrote }) => wrote && !selects({ object, uid: '', rv: 0, ...wrote }));
}

import type { Scope } from '../../../kubernetes/rbac/index.ts';
import type { JournalChange, ObjectState } from '../../../store/index.ts';

/** The part of a change that the caller may see. */
export interface SeenChange {
  readonly change: JournalChange;
  /** The stored state before the change; undefined if there was none, or if the caller may not see it. */
  readonly before: ObjectState | undefined;
  readonly after: ObjectState | undefined;
  /** Whether there is a state that the caller may not see. Then it is hidden who made the change, and how. */
  readonly isPartial: boolean;
}

/**
 * The part of a change within a scope; undefined if both of its sides are hidden. A caller who sees only the side after
 * sees a create, and a caller who sees only the side before sees a delete.
 */
export function seenChange(change: JournalChange, scope: Scope | undefined): SeenChange | undefined {
  if (scope === undefined) {
    return { change, before: change.before, after: change.after, isPartial: false };
  }
  // Most hidden changes change no labels. Their states need not be decoded.
  if (!change.relabels && !scope.matches(change.labels)) return undefined;
  const [was, is] = [change.before, change.after];
  const [before, after] = [within(was, scope), within(is, scope)];
  if (before === undefined && after === undefined) return undefined;
  return { change, before, after, isPartial: before !== was || after !== is };
}

function within(state: ObjectState | undefined, scope: Scope): ObjectState | undefined {
  return state !== undefined && scope.matches(state.labels) ? state : undefined;
}

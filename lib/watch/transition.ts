import type { Selector } from '../selectors/index.ts';
import type { JournalChange, ObjectState } from '../store/index.ts';

/** Which objects a watch or a subscription sees. */
export interface Filter {
  /** Undefined: every namespace. */
  readonly namespace?: string;
  /** Only the object of exactly this `metadata.name`. */
  readonly name?: string;
  readonly selector: Selector;
  /** What else must hold, e.g. a field selector. */
  readonly matches?: (object: ObjectState) => boolean;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ObjectState;
}

/**
 * What one change is to one filter, by whether it matched before and after: an object enters (ADDED), changes
 * (MODIFIED) or leaves (DELETED) the filtered set, or nothing is to be told. An object that leaves is shown in
 * its last matching state, stamped with the change's resourceVersion, from which clients resume.
 *
 * Source: kubernetes.io/docs/reference/using-api/api-concepts, "Efficient detection of changes".
 */
export function transition(change: JournalChange, filter: Filter): ObjectEvent | undefined {
  if (filter.namespace !== undefined && filter.namespace !== change.name.namespace) return undefined;
  if (filter.name !== undefined && filter.name !== change.name.name) return undefined;
  const before = matching(filter, change.before);
  const after = matching(filter, change.after);
  if (after !== undefined) return { type: before === undefined ? 'ADDED' : 'MODIFIED', object: after };
  return before === undefined ? undefined : { type: 'DELETED', object: { ...before, rv: change.rv } };
}

function matching(filter: Filter, state: ObjectState | undefined): ObjectState | undefined {
  return state !== undefined && filter.selector.matches(state.labels) && (filter.matches?.(state) ?? true)
    ? state
    : undefined;
}

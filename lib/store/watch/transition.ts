import type { Selector, Transition } from '../../selectors/index.ts';
import type { JournalChange } from '../journal.ts';
import type { ObjectState } from '../object.ts';

/** The filter of a watch or a subscription: which objects it delivers. */
export interface Filter {
  /** The namespace; undefined means all. */
  readonly namespace?: string;
  /** The namespaces, if there are several. */
  readonly namespaces?: ReadonlySet<string>;
  /** Only the object of exactly this `metadata.name`. */
  readonly name?: string;
  readonly selector: Selector;
  /** A further condition on objects, e.g. a field selector. */
  readonly matches?: (object: ObjectState) => boolean;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ObjectState;
  /** When the change was written, by which request and by which user; absent in the events of a snapshot. */
  readonly time?: number;
  readonly auditID?: string | undefined;
  readonly user?: string | undefined;
  /** The object's previous resourceVersion in the filtered set; undefined if it was not in the set. */
  readonly previous?: number | undefined;
}

const TYPES = { entered: 'ADDED', changed: 'MODIFIED', left: 'DELETED' } as const;

/**
 * Returns the event of one change for one filter, by whether the object matched before and after. Undefined: there is
 * no event.
 */
export function transition(change: JournalChange, filter: Filter): ObjectEvent | undefined {
  if (filter.namespace !== undefined && filter.namespace !== change.name.namespace) return undefined;
  if (filter.namespaces?.has(change.name.namespace) === false) return undefined;
  if (filter.name !== undefined && filter.name !== change.name.name) return undefined;
  const was = matches(filter, change.before);
  const is = matches(filter, change.after);
  if (!was && !is) return undefined;
  return eventOf(change, was && is ? 'changed' : is ? 'entered' : 'left');
}

/**
 * The event of a change for a filtered set: the object enters (ADDED), changes in (MODIFIED) or leaves (DELETED) it.
 * An object that leaves is shown in its last matching state, stamped with the change's resourceVersion, from which
 * clients resume.
 *
 * Source: kubernetes.io/docs/reference/using-api/api-concepts, "Efficient detection of changes".
 */
export function eventOf(change: JournalChange, how: Transition): ObjectEvent {
  const state = how === 'left' ? change.before : change.after;
  if (state === undefined) throw new RangeError(`no object ${how} at ${change.rv}`);
  const { rv, time, auditID, user } = change;
  const previous = how === 'entered' ? undefined : change.previousRv;
  return {
    type: TYPES[how],
    object: how === 'left' ? { ...state, rv } : state,
    time,
    auditID,
    user,
    previous,
  };
}

function matches(filter: Filter, state: ObjectState | undefined): boolean {
  return state !== undefined && filter.selector.matches(state.labels) && (filter.matches?.(state) ?? true);
}

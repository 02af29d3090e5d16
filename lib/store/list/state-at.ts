import type { Labels, Selector } from '../../selectors/index.ts';
import { JournalChange } from '../journal.ts';
import type { JournalView } from '../journal-tail.ts';
import type { ObjectState } from '../object.ts';

/** An object at one resourceVersion, as the journal knows it. */
export interface TouchedObject {
  /** The change that left it so; undefined where it is known from what a later change replaced. */
  readonly since: number | undefined;
  /** Whether it exists then and its labels match: a look at them alone, where its body need not be decoded. */
  matches(selector: Selector): boolean;
  /** Its labels then; undefined where it does not exist. */
  labels(): Labels | undefined;
  /** Undefined where it does not exist then. */
  state(): ObjectState | undefined;
  /** At most what it takes of the heap, in bytes. */
  heap(): number;
}

/** By name key. */
export type TouchedStates = ReadonlyMap<string, TouchedObject>;

/**
 * The states at resourceVersion `at` of the objects that a stretch of the journal touches, by name key. An
 * object that the stretch does not touch is what its row says; for one it touches the row is not needed, and
 * not trusted: it may be older than an entry that is already readable (the rows of one transaction become
 * readable one by one), or newer than `at`.
 *
 * Rolled back: the earliest change after `at` knows the state before it. Rolled forward: else the newest change
 * up to `at` knows the state after it. `undefined` is an object that does not exist at `at`.
 */
export function touchedStates(view: JournalView, at: number): TouchedStates {
  const states = new Map<string, TouchedObject>();
  const rolledBack = new Set<string>();
  for (const entry of view.entries) {
    if (!(entry instanceof JournalChange) || rolledBack.has(entry.nameKey)) continue;
    if (entry.rv > at) rolledBack.add(entry.nameKey);
    states.set(entry.nameKey, entry.rv > at ? stateBefore(entry) : stateAfter(entry));
  }
  return states;
}

function stateBefore(entry: JournalChange): TouchedObject {
  return {
    since: undefined,
    matches: (selector) => entry.before !== undefined && selector.matches(entry.before.labels),
    labels: () => entry.before?.labels,
    state: () => entry.before,
    heap: () => entry.heap,
  };
}

function stateAfter(entry: JournalChange): TouchedObject {
  return {
    since: entry.rv,
    matches: (selector) => entry.type !== 'DELETED' && selector.matches(entry.labels),
    labels: () => (entry.type === 'DELETED' ? undefined : entry.labels),
    state: () => entry.after,
    heap: () => entry.heap,
  };
}

import type { Labels, Selector } from '../../selectors/index.ts';
import { JournalChange } from '../journal.ts';
import type { JournalView } from '../journal-tail.ts';
import type { ObjectState } from '../object.ts';
import type { Table } from '../table.ts';

/** An object at one resourceVersion, as the journal knows it. */
export interface TouchedObject {
  /**
   * The resourceVersion of the change that produced this state; undefined if the state was rebuilt from the entry of the
   * next change.
   */
  readonly since: number | undefined;
  /**
   * Whether the object exists at that resourceVersion and its labels match. If only the labels are needed, the body is
   * not decoded.
   */
  matches(selector: Selector): boolean;
  /** The object's labels at that resourceVersion; undefined if it does not exist. */
  labels(): Labels | undefined;
  /** The object's state at that resourceVersion; undefined if it does not exist. Only a body in chunk rows is read. */
  state(table: Table): ObjectState | Promise<ObjectState | undefined> | undefined;
  /** An upper bound of its size on the heap, in bytes. */
  heap(): number;
}

/** Objects that the journal changes, by name key. */
export type TouchedStates = ReadonlyMap<string, TouchedObject>;

/**
 * The states at resourceVersion `at` of the objects that a range of the journal changes, by name key. If the range does
 * not change an object, the object's row holds its state. If the range changes an object, its row is not used:
 *
 * - It may be older than a journal entry that is already readable, because the rows of one transaction become
 *   readable one by one.
 * - It may be newer than `at`.
 *
 * To roll back, this function takes the state before the earliest change after `at`. If there is no such change, it
 * rolls forward, to the state after the newest change up to `at`. `undefined` stands for an object that does not exist
 * at `at`.
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
    matches: (selector) => entry.labelsBefore !== undefined && selector.matches(entry.labelsBefore),
    labels: () => entry.labelsBefore,
    state: (table) => (entry.isApart ? entry.whole(table).then(({ before }) => before) : entry.before),
    heap: () => entry.heap,
  };
}

function stateAfter(entry: JournalChange): TouchedObject {
  return {
    since: entry.rv,
    matches: (selector) => entry.type !== 'DELETED' && selector.matches(entry.labels),
    labels: () => (entry.type === 'DELETED' ? undefined : entry.labels),
    state: (table) => (entry.isApart ? entry.whole(table).then(({ after }) => after) : entry.after),
    heap: () => entry.heap,
  };
}

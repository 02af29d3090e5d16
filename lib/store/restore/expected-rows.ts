import type { Collection } from '../../json/index.ts';
import { dependentKey, nameKey } from '../keys.ts';
import { type LabelPlaces, labelItems, slotAttributes } from '../labels/index.ts';
import type { ObjectState } from '../object.ts';
import { ownerReferencesOf } from '../owners/index.ts';
import { type CarriedSelector, expectedAnchorRows } from '../postings/index.ts';
import type { Row } from '../table.ts';

/** An object and its row. */
export interface StoredObject {
  readonly collection: Collection;
  readonly row: Row;
  readonly state: ObjectState;
}

interface Expecting {
  /** The index places of its label keys. */
  readonly places: LabelPlaces;
  /** Its selectors, according to its kind. */
  readonly selects: readonly CarriedSelector[];
}

/**
 * The rows that an object must have besides its own, except reservations, GC tasks and the journal. Undefined if its
 * own row is already wrong.
 */
export function expectedRows(
  { collection, row, state }: StoredObject,
  { places, selects }: Expecting,
): readonly Row[] | undefined {
  const name = nameKey(state.name);
  if (!isSameSlots(row, slotAttributes(name, state.labels, places))) return undefined;
  const references = new Map(ownerReferencesOf(state.body).map((one) => [one.uid, one]));
  const owners = (state.trackedOwners ?? []).map((uid) => references.get(uid));
  const anchors = expectedAnchorRows(state.anchored ?? [], selects, { collection, name, uid: state.uid });
  if (anchors === undefined || owners.includes(undefined)) return undefined;
  const indexed = Object.entries(state.labels);
  const labels = { name, labels: String(row.labels), indexed, unindexed: [] };
  return [
    ...labelItems(collection, labels, places).flatMap((item) => ('put' in item ? [item.put] : [])),
    ...owners
      .filter((one) => one !== undefined)
      .map(({ uid, blocks }) => ({ ...dependentKey(uid, collection, name), blocks })),
    ...anchors,
  ];
}

function isSameSlots(row: Row, expected: Readonly<Record<string, string>>): boolean {
  const had = Object.keys(row).filter((attribute) => /^v\d+$/.test(attribute));
  const isSame = had.every((attribute) => row[attribute] === expected[attribute]);
  return isSame && had.length === Object.keys(expected).length;
}

/** Whether a row has the expected content; its expiry does not matter. */
export function isSameRow(is: Row | undefined, expected: Row): boolean {
  if (is === undefined) return false;
  const attributes = new Set([...Object.keys(is), ...Object.keys(expected)]);
  attributes.delete('ttl');
  return [...attributes].every((attribute) => is[attribute] === expected[attribute]);
}

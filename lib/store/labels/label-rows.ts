import type { Collection } from '../../json/index.ts';
import { TABLE } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { labelEntryKey, overflowPartition, valueKey } from '../keys.ts';
import type { TransactItem } from '../table.ts';
import type { LabelPlaces } from './label-slots.ts';

/** The attributes of an object's row for the slot indexes: one for each label whose key has a slot. */
export function slotAttributes(name: string, labels: Labels, places: LabelPlaces): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries(labels)) {
    const place = places.get(key);
    if (typeof place === 'number') attributes[slotAttribute(place)] = valueKey(value, name);
  }
  return attributes;
}

function slotAttribute(slot: number): string {
  const index = TABLE.slots[slot];
  if (index === undefined) throw new Error(`there is no slot ${slot}`);
  return index.sortKey;
}

/** The maximum number of bytes that slots take in the object's row, whichever of the labels have a slot. */
export function slotBytes(name: string, labels: Labels): number {
  const lengths = Object.values(labels).map((value) => Buffer.byteLength(valueKey(value, name)));
  const largest = lengths.sort((left, right) => right - left).slice(0, TABLE.slots.length);
  return largest.reduce((sum, length) => sum + length + LONGEST_ATTRIBUTE, 0);
}

const LONGEST_ATTRIBUTE = Math.max(...TABLE.slots.map(({ sortKey }) => sortKey.length));

export interface Relabelling {
  /** As `nameKey` spells it. */
  readonly name: string;
  /** All labels, as JSON. */
  readonly labels: string;
  /** Labels whose entries are put, and label keys whose entries are deleted. */
  readonly indexed: readonly (readonly [key: string, value: string])[];
  readonly unindexed: readonly string[];
}

/** The entries of labels without a slot, as items of the transaction that writes the object. */
export function labelItems(
  collection: Collection,
  { name, labels, indexed, unindexed }: Relabelling,
  places: LabelPlaces,
): TransactItem[] {
  const isOverflow = (key: string) => places.get(key) === 'overflow';
  const { partitionKey, sortKey } = TABLE.overflow;
  return [
    ...indexed
      .filter(([key]) => isOverflow(key))
      .map(([key, value]) => ({
        put: {
          ...labelEntryKey(collection, name, key),
          [partitionKey]: overflowPartition(collection, key),
          [sortKey]: valueKey(value, name),
          labels,
        },
      })),
    ...unindexed.filter(isOverflow).map((key) => ({ delete: labelEntryKey(collection, name, key) })),
  ];
}

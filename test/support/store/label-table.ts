import type { Collection } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import type { Table } from '../../../lib/store/index.ts';
import { objectKey } from '../../../lib/store/keys.ts';
import { type LabelPlaces, LabelSlots, labelItems, slotAttributes } from '../../../lib/store/labels/index.ts';
import { createMemoryTable } from './memory-table.ts';

export interface Labelled {
  /** As `nameKey` spells it. */
  readonly name: string;
  readonly labels: Labels;
}

export interface LabelTable {
  readonly table: Table;
  /** Where its label keys are indexed. */
  locate(keys: readonly string[]): Promise<LabelPlaces>;
}

/**
 * A table with what label indexes show of some objects: that is all that planning a LIST reads.
 *
 * @param taken label keys that have slots already
 */
export async function labelTable(
  collection: Collection,
  objects: readonly Labelled[],
  taken: readonly string[] = [],
): Promise<LabelTable> {
  const table = createMemoryTable();
  const slots = new LabelSlots(collection);
  await slots.assign(table, taken);
  for (const { name, labels } of objects) {
    const places = await slots.assign(table, Object.keys(labels));
    const text = JSON.stringify(labels);
    await table.put({
      ...objectKey(collection, name),
      labels: text,
      ...slotAttributes(name, labels, places),
    });
    const relabelling = { name, labels: text, indexed: Object.entries(labels), unindexed: [] };
    for (const item of labelItems(collection, relabelling, places)) {
      if ('put' in item) await table.put(item.put);
    }
  }
  return { table, locate: (keys) => slots.find(table, keys, Promise.resolve()) };
}

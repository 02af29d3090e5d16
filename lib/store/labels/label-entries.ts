import type { Collection } from '../../json/index.ts';
import { type LabelIndex, TABLE } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { objectPartition, overflowPartition, parseValueKey } from '../keys.ts';
import type { Table } from '../table.ts';
import type { LabelPlace } from './label-slots.ts';

/** An object in a label index, with all of its labels as the index has them. */
export interface LabelEntry {
  /** The sort key in the index: by value, then by name (`valueKey`). */
  readonly key: string;
  readonly nameKey: string;
  readonly labels: Labels;
}

export interface LabelEntryPage {
  readonly entries: readonly LabelEntry[];
  /** Whether more entries may follow. */
  readonly more: boolean;
}

/** All objects of a collection that carry one label key, sorted by value and then by name. */
export class LabelEntries {
  readonly index: LabelIndex;
  readonly #partition: string;

  constructor(collection: Collection, key: string, place: LabelPlace) {
    this.index = indexOf(place);
    this.#partition = place === 'overflow' ? overflowPartition(collection, key) : objectPartition(collection);
  }

  /** Reads one page of entries from `from` to `to`, both inclusive. */
  async read(
    table: Table,
    { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
  ): Promise<LabelEntryPage> {
    const { name: index, sortKey } = this.index;
    const page = await table.query({ index, partition: this.#partition, from, to, limit });
    const entries = page.rows.map((row) => {
      const key = String(row[sortKey]);
      return { key, nameKey: parseValueKey(key).name, labels: JSON.parse(String(row.labels)) };
    });
    return { entries, more: page.more && entries.length > 0 };
  }
}

function indexOf(place: LabelPlace): LabelIndex {
  const index = place === 'overflow' ? TABLE.overflow : TABLE.slots[place];
  if (index === undefined) throw new Error(`there is no slot ${place}`);
  return index;
}

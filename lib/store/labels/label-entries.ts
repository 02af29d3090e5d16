import type { Collection } from '../../json/index.ts';
import { type LabelIndex, TABLE } from '../../platform/index.ts';
import type { Labels } from '../../selectors/index.ts';
import { objectPartition, overflowPartition, parseValueKey } from '../keys.ts';
import type { Table } from '../table.ts';
import type { LabelPlace } from './label-slots.ts';

/** An object that a label index shows, with all of its labels as the index knows them. */
export interface LabelEntry {
  /** Where it stands in the index: by value, then by name (`valueKey`). */
  readonly key: string;
  readonly nameKey: string;
  readonly labels: Labels;
}

export interface LabelEntryPage {
  readonly entries: readonly LabelEntry[];
  /** Whether there may be others behind. */
  readonly more: boolean;
}

/** All objects of a collection that carry one label key, by its value and then by name. */
export class LabelEntries {
  readonly index: LabelIndex;
  readonly #partition: string;

  constructor(collection: Collection, key: string, place: LabelPlace) {
    this.index = indexOf(place);
    this.#partition = place === 'overflow' ? overflowPartition(collection, key) : objectPartition(collection);
  }

  /** A page between two places, which it may begin and end with. */
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

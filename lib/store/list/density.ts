import type { Selector } from '../../selectors/index.ts';
import type { Row } from '../table.ts';

/** The rows that one look reads. */
export const LOOKED_AT = 50;
/** The unit in which DynamoDB counts reads, and the bytes of a row without its body and labels. */
const UNIT = 4_096;
const ROW_BYTES = 300;

/**
 * The share of a collection's rows that match a selector. If most rows of a range match, a LIST reads the range, because
 * the index entries and a read of each object would cost more.
 */
export class Density {
  readonly #selector: Selector;
  #isDense = false;

  constructor(selector: Selector) {
    this.#selector = selector;
  }

  /** Whether the rows of the last look were dense. */
  get isDense(): boolean {
    return this.#isDense;
  }

  /** Looks at the first rows of a range. */
  look(rows: Iterable<Row>): void {
    let looked = 0;
    let matches = 0;
    let asRange = 0;
    let asObjects = 0;
    for (const row of rows) {
      if (looked === LOOKED_AT) break;
      looked += 1;
      const bytes = ROW_BYTES + lengthOf(row.body) + lengthOf(row.labels);
      asRange += bytes / UNIT;
      if (!this.#selector.matches(JSON.parse(String(row.labels)))) continue;
      matches += 1;
      asObjects += Math.ceil(bytes / UNIT);
    }
    this.#isDense = matches * 2 > looked && asRange <= asObjects;
  }
}

/** A body in chunk rows is read apart, whichever way the row is read. */
const lengthOf = (value: Row[string]) => (value as string | Uint8Array | undefined)?.length ?? 0;

import { type LabelIndex, TABLE } from '../../../lib/platform/index.ts';
import type { Row } from '../../../lib/store/index.ts';

/**
 * The sizes and capacity units of DynamoDB. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */

const WRITE_UNIT = 1_024;
const READ_UNIT = 4_096;
/** The most bytes of a number. */
const NUMBER = 21;

/** The units that one request takes from one partition key of the table or of an index. */
export interface Taken {
  /** `head#core/pods`, or the name of an index before it: `slot-3 object#core/pods`. */
  readonly key: string;
  readonly writes: number;
  readonly reads: number;
}

export function bytesOf(row: Row): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(row)) {
    if (value !== undefined) bytes += Buffer.byteLength(name) + bytesOfValue(value);
  }
  return bytes;
}

function bytesOfValue(value: NonNullable<Row[string]>): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  return typeof value === 'boolean' ? 1 : NUMBER;
}

const writeUnits = (...rows: readonly (Row | undefined)[]) =>
  Math.max(1, ...rows.map((row) => (row === undefined ? 0 : Math.ceil(bytesOf(row) / WRITE_UNIT))));

/** The units of a read of some bytes. An eventually consistent read costs half. */
export function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT)) * (isConsistent ? 1 : 0.5);
}

/** The units of a write that makes one row another one, in the table and in each index. A transaction doubles the former. */
export function unitsOfWrite(
  pk: string,
  before: Row | undefined,
  after: Row | undefined,
  isInTransaction: boolean,
): Taken[] {
  const own = writeUnits(before, after) * (isInTransaction ? 2 : 1);
  const inIndexes = TABLE.indexes.flatMap((index) => unitsInIndex(index, before, after));
  return [{ key: pk, writes: own, reads: 0 }, ...inIndexes];
}

function unitsInIndex(index: LabelIndex, before: Row | undefined, after: Row | undefined): Taken[] {
  const [left, entered] = [entryOf(index, before), entryOf(index, after)];
  const taken = (entry: Row, ...rows: readonly Row[]): Taken => {
    return { key: `${index.name} ${entry[index.partitionKey]}`, writes: writeUnits(...rows), reads: 0 };
  };
  const keyOf = (entry: Row | undefined) => entry && `${entry[index.partitionKey]} ${entry[index.sortKey]}`;
  if (left !== undefined && entered !== undefined && keyOf(left) === keyOf(entered)) {
    return left[TABLE.projected] === entered[TABLE.projected] ? [] : [taken(entered, left, entered)];
  }
  return [left, entered].filter((entry) => entry !== undefined).map((entry) => taken(entry, entry));
}

/** The entry of a row in an index, if the index has one. */
function entryOf({ partitionKey, sortKey }: LabelIndex, row: Row | undefined): Row | undefined {
  if (row?.[partitionKey] === undefined || row[sortKey] === undefined) return undefined;
  const { pk, sk } = row;
  return {
    pk,
    sk,
    [partitionKey]: row[partitionKey],
    [sortKey]: row[sortKey],
    [TABLE.projected]: row[TABLE.projected],
  };
}

import {
  type Key,
  type QueryRequest,
  type Reading,
  type Row,
  type Table,
  ThrottledError,
  type TransactItem,
} from '../../../lib/store/index.ts';
import { targetOf, updated } from '../../support/store/memory-table.ts';
import { bytesOf, readUnits, type Taken, unitsOfWrite } from './capacity.ts';
import type { Partitions } from './partitions.ts';

interface Throttle {
  readonly partitions: Partitions;
  /** The row as it is now. */
  readonly rowOf: (key: Key) => Row | undefined;
  /** Called for each request that is sent, with whether it was throttled. */
  readonly sent: (isThrottled: boolean) => void;
}

/** A table that throttles as DynamoDB does: a request needs capacity in each partition that it concerns. */
export function throttledTable(table: Table, { partitions, rowOf, sent }: Throttle): Table {
  const admits = (wanted: readonly Taken[]): boolean => {
    const isAdmitted = partitions.take(wanted);
    sent(!isAdmitted);
    return isAdmitted;
  };
  const admit = (wanted: readonly Taken[]) => {
    if (!admits(wanted)) throw new ThrottledError('a partition has no capacity left');
  };
  const reading = (key: string, bytes: number, how: Reading = 'consistent'): Taken => {
    return { key, writes: 0, reads: readUnits(bytes, how === 'consistent') };
  };
  const ofRow = (key: Key, how?: Reading) => reading(key.pk, bytesOf(rowOf(key) ?? (key as Row)), how);
  return {
    get: async (key, signal, how) => {
      admit([ofRow(key, how)]);
      return table.get(key, signal, how);
    },
    batchGet: async (keys, signal, how) => {
      admit(keys.map((key) => ofRow(key, how)));
      return table.batchGet(keys, signal, how);
    },
    query: async (request, signal) => {
      const key = partitionOf(request);
      admit([{ key, writes: 0, reads: 0 }]);
      const page = await table.query(request, signal);
      // The size of an answer is known afterwards.
      const bytes = page.rows.reduce((sum, row) => sum + bytesOf(row), 0);
      partitions.charge([reading(key, bytes, request.index === undefined ? 'consistent' : 'eventual')]);
      return page;
    },
    put: async (row, condition, signal) => {
      admit(unitsOfWrite(row.pk, rowOf(row), row, false));
      return table.put(row, condition, signal);
    },
    update: async (key, change, signal) => {
      const before = rowOf(key);
      admit(unitsOfWrite(key.pk, before, updated(key, before, change), false));
      return table.update(key, change, signal);
    },
    delete: async (key, condition, signal) => {
      admit(unitsOfWrite(key.pk, rowOf(key), undefined, false));
      return table.delete(key, condition, signal);
    },
    transact: async (items, signal) => {
      if (!admits(items.flatMap((item) => unitsOfItem(item, rowOf(targetOf(item)))))) {
        return { outcome: 'cancelled', throttled: true };
      }
      return table.transact(items, signal);
    },
  };
}

function partitionOf({ index, partition }: QueryRequest): string {
  return index === undefined ? partition : `${index} ${partition}`;
}

function unitsOfItem(item: TransactItem, before: Row | undefined): Taken[] {
  const { pk } = targetOf(item);
  if ('put' in item) return unitsOfWrite(pk, before, item.put, true);
  if ('update' in item) return unitsOfWrite(pk, before, updated(item.update, before, item), true);
  return unitsOfWrite(pk, before, 'delete' in item ? undefined : before, true);
}

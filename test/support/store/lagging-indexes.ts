import type { Row, Table } from '../../../lib/store/index.ts';
import { queryRows, targetOf } from './memory-table.ts';

export interface LaggingIndexes extends Table {
  /** From now on the label indexes answer what they hold now; writes through this table are watched. */
  freeze(): void;
  thaw(): void;
}

/** A table whose label indexes can lag for as long as one likes. All of its writes have to pass through here. */
export function createLaggingIndexes(table: Table): LaggingIndexes {
  const entries = new Map<string, Row>();
  let frozen: readonly Row[] | undefined;
  return {
    ...table,
    freeze: () => {
      frozen = [...entries.values()];
    },
    thaw: () => {
      frozen = undefined;
    },
    query: async (request) =>
      request.index === undefined || frozen === undefined ? table.query(request) : queryRows(frozen, request),
    transact: async (items, signal) => {
      const answer = await table.transact(items, signal);
      if (answer.outcome === 'committed') {
        for (const item of items) {
          const { pk, sk } = targetOf(item);
          if ('put' in item) {
            entries.set(`${pk}\n${sk}`, item.put);
          } else if ('delete' in item) entries.delete(`${pk}\n${sk}`);
        }
      }
      return answer;
    },
  };
}

import type { Table } from '../../../lib/store/index.ts';

/** What happens instead of an operation; `next` is the operation itself. */
export type Faults = {
  [Name in keyof Operations]?: (
    next: Operations[Name],
    ...request: Parameters<Operations[Name]>
  ) => ReturnType<Operations[Name]>;
};

type Operations = Omit<Table, 'deadline' | 'rowSchema'>;

export interface FaultyTable extends Table {
  /** In force from the next call on; changed at any time. */
  faults: Faults;
}

/** A table that does as it is told by `faults`, and works where it is told nothing. */
export function createFaultyTable(table: Table, faults: Faults = {}): FaultyTable {
  const faulty: FaultyTable = {
    faults,
    get: (...request) => faulty.faults.get?.(table.get, ...request) ?? table.get(...request),
    query: (...request) => faulty.faults.query?.(table.query, ...request) ?? table.query(...request),
    batchGet: (...request) =>
      faulty.faults.batchGet?.(table.batchGet, ...request) ?? table.batchGet(...request),
    put: (...request) => faulty.faults.put?.(table.put, ...request) ?? table.put(...request),
    update: (...request) => faulty.faults.update?.(table.update, ...request) ?? table.update(...request),
    delete: (...request) => faulty.faults.delete?.(table.delete, ...request) ?? table.delete(...request),
    transact: (...request) =>
      faulty.faults.transact?.(table.transact, ...request) ?? table.transact(...request),
  };
  return faulty;
}

/** A fault for the first call only. */
export function once<Arguments extends unknown[], Answer>(
  fault: (next: (...request: Arguments) => Answer, ...request: Arguments) => NoInfer<Answer>,
): (next: (...request: Arguments) => Answer, ...request: Arguments) => Answer {
  let used = false;
  return (next, ...request) => {
    if (used) return next(...request);
    used = true;
    return fault(next, ...request);
  };
}

import { setImmediate } from 'node:timers/promises';
import type { Table } from '../../../lib/store/index.ts';
import { createFaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

/** As `startTable` of test/support, in memory: what needs more than a table fails, and is left out. */
export async function startTable() {
  return { table: yielding(createMemoryTable()), stop: async () => {} };
}

/** Between two operations others have their turn, as they have while a service answers. */
function yielding(table: Table): Table {
  const after =
    <Request extends unknown[], Answer>() =>
    async (next: (...request: Request) => Promise<Answer>, ...request: Request) => {
      await setImmediate();
      return next(...request);
    };
  return createFaultyTable(table, {
    get: after(),
    query: after(),
    batchGet: after(),
    put: after(),
    update: after(),
    delete: after(),
    transact: after(),
  });
}

import { setImmediate } from 'node:timers/promises';
import type { MeteredTable, Table } from '../../../lib/store/index.ts';
import { createFaultyTable } from '../../support/store/faulty-table.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

/** As `startTable` of test/support, in memory: what needs more than a table fails, and is left out. */
export async function startTable() {
  return { table: metering(yielding(createMemoryTable())), stop: async () => {} };
}

/** Every operation is a request of one unit. */
function metering(table: Table): MeteredTable {
  return {
    ...table,
    metered: (report) =>
      answering(table, async (ask) => {
        const answer = await ask();
        report({ units: 1 });
        return answer;
      }),
  };
}

/** Between two operations others have their turn, as they have while a service answers. */
function yielding(table: Table): Table {
  return answering(table, async (ask) => {
    await setImmediate();
    return ask();
  });
}

/** The same table, each of whose operations is asked by `by`. */
function answering(table: Table, by: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>): Table {
  const after =
    <Request extends unknown[], Answer>() =>
    (next: (...request: Request) => Promise<Answer>, ...request: Request) =>
      by(() => next(...request));
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

import { isMetered, type Table, type TransactItem } from '../table.ts';

/** The cost of the calls to a table: requests to the service, rows read or written, capacity units consumed. */
export interface ReadCost {
  requests: number;
  rows: number;
  /** 0 if the table is not metered. */
  units: number;
}

export const noReadCost = (): ReadCost => ({ requests: 0, rows: 0, units: 0 });

/**
 * The same table, which adds the cost of all calls to `tally`. If it is not metered, each call counts as one request.
 */
export function measuredTable(table: Table, tally: ReadCost): Table {
  const metered = isMetered(table);
  const inner = metered
    ? table.metered(({ units }) => addTally(tally, { requests: 1, rows: 0, units }))
    : table;
  const counted = async <Answer>(call: Promise<Answer>, rowsOf: (answer: Answer) => number) => {
    if (!metered) tally.requests += 1;
    const answer = await call;
    tally.rows += rowsOf(answer);
    return answer;
  };
  return {
    ...(inner.deadline === undefined ? {} : { deadline: inner.deadline }),
    get: (...request) => counted(inner.get(...request), (row) => (row === undefined ? 0 : 1)),
    query: (...request) => counted(inner.query(...request), ({ rows }) => rows.length),
    batchGet: (...request) => counted(inner.batchGet(...request), (rows) => rows.length),
    put: (...request) => counted(inner.put(...request), one),
    update: (...request) => counted(inner.update(...request), one),
    delete: (...request) => counted(inner.delete(...request), one),
    transact: (items, signal) => counted(inner.transact(items, signal), () => items.filter(isWritten).length),
  };
}

export function addTally(tally: ReadCost, more: Readonly<ReadCost>): void {
  tally.requests += more.requests;
  tally.rows += more.rows;
  tally.units += more.units;
}

const one = () => 1;

const isWritten = (item: TransactItem) => !('check' in item);

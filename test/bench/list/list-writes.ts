import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import type { Store, Table } from '../../../lib/store/index.ts';
import { createCounter } from '../../costs/counting.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';
import { WRITE_UNITS_BARS } from '../bars.ts';
import type { Report } from '../report.ts';
import { nameOf, podOf } from './list-objects.ts';
import { COLLECTION } from './list-seed.ts';

interface WriteCase {
  readonly write: string;
  readonly labels: Labels;
  readonly phase: string;
  readonly bars: Partial<Record<RowSize, number>>;
}

const LABELS = { app: 'web', tier: 'front', env: 'prod', team: 'a' };

/** Each of the object as the one before it left it. */
const CASES: readonly WriteCase[] = [
  { write: 'create, 4 labels', labels: LABELS, phase: 'Pending', bars: WRITE_UNITS_BARS.create },
  { write: 'status only', labels: LABELS, phase: 'Running', bars: WRITE_UNITS_BARS.status },
  {
    write: 'relabel, 1 of 4 values',
    labels: { ...LABELS, env: 'qa' },
    phase: 'Running',
    bars: WRITE_UNITS_BARS.relabel,
  },
];

/** Of the object's row and its journal entry, and how many characters in them compress to nothing. */
type RowSize = keyof typeof SIZES;
const SIZES = { 'within 1 KB': 0, 'one above 1 KB': 498, 'above 1 KB': 1_000 } as const;

/**
 * What writes of one object cost in DynamoDB: requests, rows written, and units, writes apart from reads. By a process
 * that knows the slots of the labels; that they are given some is paid once a label key and collection.
 */
export async function benchWrites(report: Report): Promise<void> {
  for (const size of Object.keys(SIZES) as RowSize[]) {
    const { table, stop } = await startTable();
    try {
      await benchSize(table, size, report);
    } finally {
      await stop();
    }
  }
}

async function benchSize(table: Table, size: RowSize, report: Report): Promise<void> {
  const { cost, store } = counting(table);
  await store.write(COLLECTION, nameOf(1), () => ({ kind: 'put', body: podOf(nameOf(1), 'uid', LABELS) }));
  for (const { write, labels, phase, bars } of CASES) {
    const body = { ...podOf(nameOf(0), 'uid', labels), status: { phase, message: noise(SIZES[size]) } };
    const used = await cost(put(body));
    const bar = bars[size];
    const judged = bar !== undefined && { bar, reached: used.writes <= bar };
    report.add({ bench: 'list, writes', write, size, ...used, ...judged });
  }
  const used = await cost((by) =>
    by.write(COLLECTION, nameOf(0), (current) =>
      current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body },
    ),
  );
  report.add({ bench: 'list, writes', write: 'delete, 4 labels', size, ...used });
}

const put = (body: JsonObject) => (store: Store) =>
  store.write(COLLECTION, nameOf(0), () => ({ kind: 'put', body }));

const noise = (length: number) =>
  createHash('shake256', { outputLength: length }).update('noise').digest('base64').slice(0, length);

/** A store, and what something that is done with it takes. */
function counting(table: Table) {
  const counter = createCounter();
  const counted = counter.table(table);
  let rows = 0;
  const store = openStore({
    ...counted,
    update: (...request) => {
      rows += 1;
      return counted.update(...request);
    },
    transact: (items, signal) => {
      rows += items.filter((item) => !('check' in item)).length;
      return counted.transact(items, signal);
    },
  });
  const cost = async (act: (store: Store) => Promise<unknown>) => {
    counter.take();
    rows = 0;
    await act(store);
    const { requests, reads, writes } = counter.take();
    return { requests, rows, writes, reads };
  };
  return { cost, store };
}

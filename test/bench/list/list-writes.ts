import type { Labels } from '../../../lib/selectors/index.ts';
import {
  emptyTally,
  type JsonObject,
  measuredTable,
  type Store,
  type Table,
  type Tally,
} from '../../../lib/store/index.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { startTable } from '../../support/store/table.ts';
import { LABEL_ENTRIES_BAR } from '../bars.ts';
import type { Report } from '../report.ts';
import { nameOf, podOf } from './list-objects.ts';
import { COLLECTION } from './list-seed.ts';

interface WriteCase {
  readonly write: string;
  readonly labels: Labels;
  readonly phase: string;
  /** Label entries it may touch, where that was promised. */
  readonly bar?: number;
}

const LABELS = { app: 'web', tier: 'front', env: 'prod', team: 'a' };

/** Each of the object as the one before it left it. */
const CASES: readonly WriteCase[] = [
  { write: 'create, 4 labels', labels: LABELS, phase: 'Pending' },
  { write: 'status only', labels: LABELS, phase: 'Running', bar: LABEL_ENTRIES_BAR },
  { write: 'relabel, 1 of 4 values', labels: { ...LABELS, env: 'qa' }, phase: 'Running' },
];

/** What writes of one object of about 1 KB cost in DynamoDB: requests, rows written, label entries among them, units. */
export async function benchWrites(report: Report): Promise<void> {
  const { table, stop } = await startTable();
  try {
    for (const { write, labels, phase, bar } of CASES) {
      const cost = await costOf(table, (store) =>
        put(store, { ...podOf(nameOf(0), 'uid', labels), status: { phase } }),
      );
      report.add({
        bench: 'list, writes',
        write,
        ...cost,
        ...(bar !== undefined && { bar, reached: cost.labelEntries <= bar }),
      });
    }
    const cost = await costOf(table, (store) =>
      store.write(COLLECTION, nameOf(0), (current) =>
        current === undefined ? { kind: 'none' } : { kind: 'delete', body: current.body },
      ),
    );
    report.add({ bench: 'list, writes', write: 'delete, 4 labels', ...cost });
  } finally {
    await stop();
  }
}

const put = (store: Store, body: JsonObject) =>
  store.write(COLLECTION, nameOf(0), () => ({ kind: 'put', body }));

async function costOf(table: Table, write: (store: Store) => Promise<unknown>) {
  const tally: Tally = emptyTally();
  let labelEntries = 0;
  let rows = 0;
  const measured = measuredTable(table, tally);
  const counting: Table = {
    ...measured,
    update: (...request) => {
      rows += 1;
      return measured.update(...request);
    },
    transact: (items, signal) => {
      const written = items.flatMap((item) =>
        'put' in item ? item.put : 'delete' in item ? item.delete : [],
      );
      rows += written.length;
      labelEntries += written.filter(({ pk }) => pk.startsWith('labels#')).length;
      return measured.transact(items, signal);
    },
  };
  await write(openStore(counting));
  return { requests: tally.requests, rows, labelEntries, units: tally.units };
}

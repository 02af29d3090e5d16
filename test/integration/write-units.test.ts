import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Labels } from '../../lib/selectors/index.ts';
import type { Store } from '../../lib/store/index.ts';
import { WRITE_UNITS_BARS } from '../bench/bars.ts';
import { nameOf, podOf } from '../bench/list/list-objects.ts';
import { createCounter } from '../costs/counting.ts';
import { openStore } from '../support/store/store-fixture.ts';
import { startTable } from '../support/store/table.ts';

const LABELS = { app: 'web', tier: 'front', env: 'prod', team: 'a' };

const counter = createCounter();
let store: Store;
let stop: () => Promise<void>;

beforeAll(async () => {
  const started = await startTable();
  stop = started.stop;
  store = openStore(counter.table(started.table));
  // From here on, the labels have their slots.
  await put(1, LABELS, 'Pending');
});

afterAll(() => stop());

function put(index: number, labels: Labels, phase: string) {
  const body = { ...podOf(nameOf(index), 'uid', labels), status: { phase } };
  return store.write('core/pods', nameOf(index), () => ({ kind: 'put', body }));
}

/** Returns the write units of one write of an object whose rows stay within 1 KB. */
async function unitsOf(labels: Labels, phase: string): Promise<number> {
  counter.take();
  await put(0, labels, phase);
  return counter.take().writes;
}

it('a create with four labels, a status and a changed label take the write units in docs/benchmarks.md', async () => {
  expect(await unitsOf(LABELS, 'Pending')).toBe(WRITE_UNITS_BARS.create['within 1 KB']);
  expect(await unitsOf(LABELS, 'Running')).toBe(WRITE_UNITS_BARS.status['within 1 KB']);
  expect(await unitsOf({ ...LABELS, env: 'qa' }, 'Running')).toBe(WRITE_UNITS_BARS.relabel['within 1 KB']);
});

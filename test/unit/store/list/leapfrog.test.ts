import { expect, it } from '@jest/globals';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import { measuredTable, noReadCost, type Table } from '../../../../lib/store/index.ts';
import { nameAfter } from '../../../../lib/store/keys.ts';
import { planCandidates } from '../../../../lib/store/list/candidates.ts';
import { uncounted } from '../../../../lib/store/list-reads.ts';
import { type LabelTable, labelTable } from '../../../support/store/label-table.ts';

const COLLECTION = 'test/things';
const nameOf = (index: number) => `default/n${String(index).padStart(4, '0')}`;

/** Objects that carry each of the labels where it says so. */
interface Spread {
  readonly objects: number;
  readonly labels: Readonly<Record<string, (index: number) => boolean>>;
}

function tableOf({ objects, labels }: Spread): Promise<LabelTable> {
  const all = Array.from({ length: objects }, (_, index) => {
    const keys = Object.keys(labels).filter((key) => labels[key]?.(index));
    return { name: nameOf(index), labels: Object.fromEntries(keys.map((key) => [key, ''])) };
  });
  return labelTable(COLLECTION, all);
}

async function planOf({ table, locate }: LabelTable, selector: string) {
  const plan = await planCandidates({
    reads: uncounted(table),
    collection: COLLECTION,
    namespace: undefined,
    selector: parseSelector(selector),
    from: '!',
    locate,
  });
  if (plan === undefined || plan === 'nothing' || plan.stream === undefined) throw new Error('no index');
  return { ...plan, stream: plan.stream };
}

const selectorOf = (keys: readonly string[]) => keys.map((key) => `${key}=`).join();

/** How all that carry all of the labels are found. */
async function find(spread: Spread) {
  const tally = noReadCost();
  const keys = Object.keys(spread.labels);
  const { table, locate } = await tableOf(spread);
  const plan = await planOf({ table: measuredTable(table, tally), locate }, selectorOf(keys));
  const found: string[] = [];
  for (let position = '!'; ; position = nameAfter(found.at(-1) ?? '')) {
    const candidate = await plan.stream.seek(position);
    if (candidate === undefined) break;
    found.push(candidate.nameKey);
  }
  const expected = Array.from({ length: spread.objects }, (_, index) => index)
    .filter((index) => keys.every((key) => spread.labels[key]?.(index)))
    .map(nameOf);
  expect(found).toEqual(expected);
  const drivers = plan.stream.drivers.map((stream) => plan.requirements.get(stream)?.key ?? '');
  const { rows, requests } = tally;
  return { rows, requests, drivers: drivers.join(), skips: plan.stream.skips };
}

/** A table that tells how many of its queries were under way at once, at most, since it was asked last. */
function watched(inner: Table) {
  let [underway, most] = [0, 0];
  const query: Table['query'] = async (request) => {
    underway += 1;
    most = Math.max(most, underway);
    await new Promise(setImmediate);
    underway -= 1;
    return inner.query(request);
  };
  const told = () => {
    const before = most;
    most = 0;
    return before;
  };
  return { table: { ...inner, query }, told };
}

const all = () => true;
const each =
  (step: number, from = 0) =>
  (index: number) =>
    index % step === from;
const within = (from: number, to: number) => (index: number) => index >= from && index < to;
const runs = (length: number, turn: number) => (index: number) => Math.floor(index / length) % 2 === turn;

it.each<[string, Spread, Awaited<ReturnType<typeof find>>]>([
  ['one alone', { objects: 300, labels: { a: each(3) } }, { requests: 3, rows: 100, drivers: 'a', skips: 0 }],
  [
    'one that is over at once',
    { objects: 300, labels: { a: all, b: each(100) } },
    { requests: 2, rows: 28, drivers: 'b', skips: 0 },
  ],
  [
    'the one that reaches farthest',
    { objects: 600, labels: { a: all, b: each(10) } },
    { requests: 3, rows: 85, drivers: 'b', skips: 0 },
  ],
  [
    'the same, told the other way round',
    { objects: 600, labels: { b: each(10), a: all } },
    { requests: 3, rows: 85, drivers: 'b', skips: 0 },
  ],
  [
    'two that never meet',
    { objects: 600, labels: { a: each(2), b: each(2, 1) } },
    { requests: 7, rows: 375, drivers: 'b', skips: 0 },
  ],
  [
    'two in runs',
    { objects: 1_200, labels: { a: runs(100, 0), b: runs(100, 1) } },
    { requests: 14, rows: 350, drivers: 'b,a', skips: 10 },
  ],
  [
    'two in runs that meet',
    { objects: 1_200, labels: { a: runs(100, 0), b: runs(150, 1) } },
    { requests: 8, rows: 675, drivers: 'b', skips: 0 },
  ],
  [
    'three in runs',
    { objects: 1_200, labels: { a: runs(100, 0), b: runs(150, 1), c: runs(240, 1) } },
    { requests: 18, rows: 537, drivers: 'c,a', skips: 3 },
  ],
  [
    'one that becomes dense',
    { objects: 1_000, labels: { a: (index) => index % (index < 300 ? 10 : 2) === 0, b: each(5, 1) } },
    { requests: 6, rows: 230, drivers: 'a,b', skips: 0 },
  ],
  [
    'one that is over soon',
    { objects: 1_000, labels: { a: within(0, 60), b: within(20, 1_000) } },
    { requests: 5, rows: 200, drivers: 'b', skips: 0 },
  ],
  [
    'one that begins late',
    { objects: 1_000, labels: { a: all, b: within(800, 900) } },
    { requests: 4, rows: 125, drivers: 'b', skips: 0 },
  ],
  [
    'two that are far from each other',
    { objects: 1_000, labels: { a: within(0, 400), b: within(600, 1_000) } },
    { requests: 4, rows: 100, drivers: 'b', skips: 0 },
  ],
  [
    'four',
    { objects: 600, labels: { a: each(2), b: each(3), c: each(5), d: each(7) } },
    { requests: 9, rows: 188, drivers: 'd', skips: 0 },
  ],
])('a leapfrog join reads only what it needs: %s', async (_, spread, read) => {
  expect(await find(spread)).toEqual(read);
});

it('a leapfrog join asks its other streams concurrently how far to leap', async () => {
  const labels = { a: runs(100, 0), b: runs(150, 1), c: runs(240, 1) };
  const { table: inner, locate } = await tableOf({ objects: 1_200, labels });
  const { table, told } = watched(inner);
  const plan = await planOf({ table, locate }, selectorOf(['a', 'b', 'c']));
  expect(told()).toBe(3);
  await plan.stream.seek(nameOf(400));
  expect(told()).toBe(2);
});

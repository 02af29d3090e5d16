import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from '@jest/globals';
import {
  backfillPostings,
  type CarrierKind,
  type SweepOptions,
} from '../../../../lib/controllers/backfills/backfill-postings.ts';
import { readSweeps } from '../../../../lib/controllers/backfills/sweep-rows.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { everyField, parseSelector } from '../../../../lib/selectors/index.ts';
import { type CarriedSelector, LabelLimitError } from '../../../../lib/store/index.ts';
import { createFaultyTable, once } from '../../../support/store/faulty-table.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';

const PODS: Collection = 'core/pods';
const SERVICES: Collection = 'core/services';
const NODES: Collection = 'core/nodes';
const WAIT = 60_000;

let memory: MemoryWorld;
/**
 * The objects whose selectors were computed, in order: once when the backfill reaches them, once when it writes them.
 */
let asked: string[];
let announced: number[];
let warnings: string[];

beforeEach(async () => {
  memory = await createMemoryWorld();
  [asked, announced, warnings] = [[], [], []];
  for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name);
});

const put = (name: string) =>
  memory.clock.during(
    memory.world.store.write(SERVICES, { namespace: 'default', name }, () => ({
      kind: 'put',
      body: { metadata: { name, namespace: 'default', uid: `uid-${name}` } },
    })),
  );

const rvs = async () => {
  const { items } = await memory.clock.during(
    memory.world.store.list(SERVICES, { selector: parseSelector('') }),
  );
  return Object.fromEntries(items.map(({ name, rv }) => [name.name, rv]));
};

const selectorOf = (name: string): CarriedSelector => ({
  path: '',
  target: PODS,
  selector: parseSelector(`app=${name}`),
  fields: everyField,
});

const kind = (more: Partial<CarrierKind> = {}): CarrierKind => ({
  by: 'first',
  wait: WAIT,
  selectsOf: async ({ name: { name } }) => {
    asked.push(name);
    return [selectorOf(name)];
  },
  ...more,
});

const sweep = (more: Partial<SweepOptions> = {}, kinds: Record<Collection, CarrierKind> = {}) => {
  const { table, store } = memory.world;
  const announce = async (_: Collection, rv: number) => {
    await setImmediate();
    announced.push(rv);
  };
  const hints = { announce };
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const options = { table, store, hints, clock: memory.clock, logger, page: 2, ...more };
  const all = new Map(Object.entries({ [SERVICES]: kind(), ...kinds }) as [Collection, CarrierKind][]);
  return memory.clock.during(backfillPostings(options, all));
};

const due = async () => {
  await sweep();
  memory.clock.advance(WAIT);
};

it('The backfill waits, to the millisecond, until every process that did not know of it has ended', async () => {
  await sweep();
  memory.clock.advance(WAIT - 1);
  await sweep();
  expect(asked).toEqual([]);
  memory.clock.advance(1);
  await sweep();
  expect(new Set(asked)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
});

it('The backfill writes each object once, notifies watchers, and is complete', async () => {
  const before = await rvs();
  await due();
  await sweep();
  const after = await rvs();
  expect(announced.toSorted((one, other) => one - other)).toEqual(
    Object.values(after).toSorted((one, other) => one - other),
  );
  for (const name of Object.keys(before)) expect(after[name]).toBeGreaterThan(before[name] ?? 0);
  asked = [];
  await sweep();
  expect(asked).toEqual([]);
});

it('The backfill continues after the finished part if a page does not begin in time', async () => {
  await due();
  const slow = kind({
    selectsOf: async ({ name: { name } }) => {
      if (!asked.includes(name) && 'ace'.includes(name)) memory.clock.advance(15_001);
      asked.push(name);
      return [selectorOf(name)];
    },
  });
  await sweep({}, { [SERVICES]: slow });
  expect(new Set(asked)).toEqual(new Set(['a', 'b']));
  const { a, b } = await rvs();
  await sweep({}, { [SERVICES]: slow });
  expect(new Set(asked)).toEqual(new Set(['a', 'b', 'c', 'd']));
  await sweep({}, { [SERVICES]: slow });
  expect(new Set(asked)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
  expect(await rvs()).toMatchObject({ a, b });
});

it('The backfill continues in time: a page begins as long as fifteen seconds have not passed', async () => {
  await due();
  const after = [15_000, 1];
  const slow = kind({
    selectsOf: async ({ name: { name } }) => {
      if (!asked.includes(name) && (name === 'a' || name === 'c')) memory.clock.advance(after.shift() ?? 0);
      asked.push(name);
      return [selectorOf(name)];
    },
  });
  await sweep({}, { [SERVICES]: slow });
  expect(new Set(asked)).toEqual(new Set(['a', 'b', 'c', 'd']));
});

it('The backfill stores that a page is done after its writes, and ends if another process continues it', async () => {
  await due();
  const table = createFaultyTable(memory.world.table);
  table.faults.put = once(async (next, ...request) => {
    expect(announced).toHaveLength(2);
    await sweep();
    return next(...request);
  });
  asked = [];
  await sweep({ table });
  // The other process did them all: this one had reached two of them again before it learned that.
  expect(asked.filter((name) => name === 'e')).toHaveLength(2);
  expect(asked.filter((name) => name === 'c')).toHaveLength(2);
  expect(announced).toHaveLength(5);
});

it('The backfill fails if its start cannot be stored', async () => {
  const put = () => Promise.reject(new Error('no table'));
  await expect(sweep({ table: createFaultyTable(memory.world.table, { put }) })).rejects.toThrow('no table');
});

it('The backfill runs again for objects with changed selectors, and skips types that never had selectors', async () => {
  const silent = kind({ by: '', selectsOf: async () => expect(true).toBe(false) as never });
  await due();
  await sweep({}, { [NODES]: silent });
  expect([...(await readSweeps(memory.world.table)).keys()]).toEqual([SERVICES]);
  const other = { [SERVICES]: kind({ by: 'second', selectsOf: async () => [selectorOf('other')] }) };
  announced = [];
  await sweep({}, other);
  expect(announced).toEqual([]);
  memory.clock.advance(WAIT);
  await sweep({}, other);
  expect(announced).toHaveLength(5);
  const [done] = (await readSweeps(memory.world.table)).values();
  expect(done).toMatchObject({ by: 'second', isDone: true, after: 'default/d' });
});

it('The backfill reads its progress across any number of pages', async () => {
  const table = createFaultyTable(memory.world.table, {
    query: async (next, request) => {
      const { rows, more } = await next(request);
      return request.partition === 'sweeps#anchors'
        ? { rows: rows.slice(0, 1), more: more || rows.length > 1 }
        : { rows, more };
    },
  });
  const kinds = { [NODES]: kind(), [PODS]: kind() };
  await sweep({ table }, kinds);
  expect([...(await readSweeps(table)).keys()].sort()).toEqual([NODES, PODS, SERVICES]);
});

it('The backfill skips objects without selectors, objects with right postings and deleted objects', async () => {
  const { store } = memory.world;
  const name = { namespace: 'default', name: 'a' };
  const body = { metadata: { name: 'a', namespace: 'default', uid: 'uid-a' } };
  const found = () => ({ kind: 'put', body, selects: [selectorOf('a')] }) as const;
  await memory.clock.during(store.write(SERVICES, name, found));
  const before = await rvs();
  const gone = kind({
    selectsOf: async (object) => {
      const { name: which } = object.name;
      if (which === 'b') return undefined;
      if (which === 'c' && !asked.includes('c')) {
        await store.write(SERVICES, object.name, () => ({ kind: 'delete', body: object.body }));
      }
      asked.push(which);
      const isChanged = which === 'e' && asked.indexOf('e') < asked.length - 1;
      return isChanged ? undefined : [selectorOf(which)];
    },
  });
  await due();
  await sweep({}, { [SERVICES]: gone });
  const { a, b, c, d, e } = await rvs();
  expect({ a, b, c, e }).toEqual({ a: before.a, b: before.b, c: undefined, e: before.e });
  expect(announced).toHaveLength(1);
  expect(d).toBeGreaterThan(before.d ?? 0);
});

it('The backfill skips objects whose postings have no room, and passes on every other error', async () => {
  const { store } = memory.world;
  const failing = (error: Error) => ({
    store: {
      ...store,
      list: store.list.bind(store),
      write: (...request: Parameters<typeof store.write>) =>
        request[1].name === 'c' ? Promise.reject(error) : store.write(...request),
    } as typeof store,
  });
  await due();
  await expect(sweep(failing(new Error('out of order')))).rejects.toThrow('out of order');
  await sweep(failing(new LabelLimitError('too many')));
  expect(warnings).toHaveLength(1);
  expect(announced).toHaveLength(4);
});

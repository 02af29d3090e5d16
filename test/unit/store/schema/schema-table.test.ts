import { describe, expect, it } from '@jest/globals';
import { silentLogger, TIMING } from '../../../../lib/platform/index.ts';
import {
  beginSchema,
  createStore,
  HISTORY_SCHEMA,
  type Key,
  KNOWN_SCHEMAS,
  type KnownSchemas,
  RowSchema,
  raiseSchema,
  readSchema,
  retryingTable,
  schemaTable,
  type Table,
  UnavailableError,
  UnknownSchemaError,
} from '../../../../lib/store/index.ts';
import { journalKey, schemaKey } from '../../../../lib/store/keys.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../../../support/store/memory-table.ts';
import { put } from '../../../support/store/store-fixture.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const PRESENT: KnownSchemas = { oldest: 1, newest: 1 };
const NEXT: KnownSchemas = { oldest: 1, newest: 2 };
const LAST: KnownSchemas = { oldest: 2, newest: 2 };
const KEY: Key = { pk: 'object#core/pods', sk: 'default/a' };
const ROW = { ...KEY, rv: 2 };

/** A table that processes of several versions work on, and what reaches it. */
async function createWorld() {
  const clock = new OwnedClock();
  const memory = createMemoryTable();
  const asked: string[] = [];
  const heard = (what: keyof Table) =>
    ((...request: never[]) => {
      asked.push(what);
      return (memory[what] as (...request: never[]) => Promise<unknown>)(...request);
    }) as never;
  const table: Table = {
    get: heard('get'),
    query: heard('query'),
    batchGet: heard('batchGet'),
    put: heard('put'),
    update: heard('update'),
    delete: heard('delete'),
    transact: heard('transact'),
  };
  await memory.put(ROW);
  const process = (known: KnownSchemas, through: Table = table) => {
    const schema = new RowSchema({ clock, known });
    return { schema, table: schemaTable(through, schema) };
  };
  const raise = (notice?: number) =>
    raiseSchema({ table: memory, clock, known: NEXT, ...(notice !== undefined && { notice }) });
  return { clock, memory, asked, table, process, raise };
}

/** Each operation of a table, once. */
function callsOf(table: Table): readonly (() => Promise<unknown>)[] {
  const signal = new AbortController().signal;
  return [
    () => table.get(KEY),
    () => table.batchGet([KEY]),
    () => table.query({ partition: KEY.pk, from: '!', to: '~' }),
    () => table.put(ROW),
    () => table.update(KEY, { set: { rv: 3 } }),
    () => table.delete(KEY),
    () => table.transact([{ put: ROW }], signal),
  ];
}

describe('the schema row', () => {
  it('is read with the first get, and causes no request for a minute', async () => {
    const { clock, asked, process } = await createWorld();
    const { table } = process(PRESENT);
    expect(await table.get(KEY)).toEqual(ROW);
    expect(await table.batchGet([KEY])).toEqual([ROW]);
    clock.advance(TIMING.schemaLook - 1);
    await table.query({ partition: KEY.pk, from: '!', to: '~' });
    await table.put(ROW);
    expect(asked).toEqual(['batchGet', 'batchGet', 'query', 'put']);
    clock.advance(1);
    expect(await table.batchGet([KEY])).toEqual([ROW]);
    expect(asked.slice(4)).toEqual(['batchGet']);
  });

  it('is read once for all concurrent calls, together with a query and before a write', async () => {
    const { asked, process } = await createWorld();
    const { table } = process(PRESENT);
    await Promise.all([
      table.query({ partition: KEY.pk, from: '!', to: '~' }),
      table.get(KEY),
      table.put(ROW),
    ]);
    // The first of the two reads the schema row.
    expect(asked.slice(0, 2)).toEqual(['query', 'get']);
    expect(asked.slice(2).sort()).toEqual(['get', 'put']);
  });

  it('is version 1 if it does not exist, and rises by one, once', async () => {
    const { clock, memory, raise } = await createWorld();
    expect(await readSchema(memory)).toEqual({ version: 1, from: 0 });
    const raised = { version: 2, from: clock.now() + TIMING.schemaNotice };
    expect(await Promise.all([raise(), raise()])).toEqual([raised, raised]);
    clock.advance(TIMING.schemaNotice);
    expect(await raise()).toEqual(raised);
  });

  it('is the newest version for an unused table only', async () => {
    const begun = async (worked: boolean, known = NEXT) => {
      const { memory } = await createWorld();
      if (worked) await memory.update({ pk: 'head#core/pods', sk: 'head' }, { add: { rv: 1 } });
      await beginSchema(memory, known, 'core/pods');
      await beginSchema(memory, PRESENT, 'core/pods');
      return readSchema(memory);
    };
    expect(await begun(false)).toEqual({ version: 2, from: 0 });
    expect(await begun(true)).toEqual({ version: 1, from: 0 });
  });

  it('is read through the table like any other row, in a request of its own', async () => {
    const { clock, asked, process, raise } = await createWorld();
    const { table } = process(NEXT);
    const store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
    expect([await store.schema(), asked]).toEqual([1, ['get', 'get']]);
    const { from } = await raise();
    expect(await store.schema()).toBe(1);
    clock.advance(from - clock.now());
    expect([await store.schema(), asked.slice(3)]).toEqual([2, ['get', 'get']]);
  });

  it('does not rise during the notice period of the last rise', async () => {
    const { clock, memory, raise } = await createWorld();
    const raised = await raise();
    const known = { oldest: 1, newest: 3 };
    expect(await raiseSchema({ table: memory, clock, known })).toEqual(raised);
    clock.advance(TIMING.schemaNotice);
    expect((await raiseSchema({ table: memory, clock, known })).version).toBe(3);
  });
});

describe('a process that works on a table', () => {
  it('writes rows that history reads from the schema version of history on, and not before', async () => {
    const { clock, memory, process } = await createWorld();
    await memory.put({ ...schemaKey, version: HISTORY_SCHEMA - 1, from: 0 });
    const { table } = process(KNOWN_SCHEMAS);
    const store = createStore({ table, clock, random: seeded(1), logger: silentLogger });
    const isLinked = async () => {
      const outcome = await put(store, 'test/things', 'a');
      const row = await memory.get(journalKey('test/things', outcome.after?.rv ?? 0));
      return row?.previousMain !== undefined;
    };
    expect(await isLinked()).toBe(false);
    await raiseSchema({ table: memory, clock, known: KNOWN_SCHEMAS });
    clock.advance(TIMING.schemaNotice - 1);
    expect(await isLinked()).toBe(false);
    clock.advance(1);
    expect(await isLinked()).toBe(true);
  });

  it('writes the previous version until the notice period ends, and the raised one afterwards', async () => {
    const { clock, process, raise } = await createWorld();
    const { schema, table } = process(NEXT);
    await table.get(KEY);
    expect(schema.written).toBe(1);
    await raise();
    clock.advance(TIMING.schemaNotice - 1);
    await table.get(KEY);
    expect(schema.written).toBe(1);
    clock.advance(1);
    expect(schema.written).toBe(2);
  });

  it('stops before the raised version is written if it does not know that version', async () => {
    const { clock, asked, process, raise } = await createWorld();
    const { table } = process(PRESENT);
    await table.get(KEY);
    await raise();
    // What was seen just before it was raised counts to its end.
    clock.advance(TIMING.schemaLook - 1);
    await table.get(KEY);
    clock.advance(1);
    asked.length = 0;
    for (const call of callsOf(table)) await expect(call()).rejects.toThrow(UnknownSchemaError);
    expect(asked).toEqual(['batchGet']);
    clock.advance(TIMING.schemaLook);
    for (const call of callsOf(table).slice(3)) await expect(call()).rejects.toThrow(UnknownSchemaError);
    expect(asked).toEqual(['batchGet', 'get']);
  });

  it('stops if it no longer knows the version that is written', async () => {
    const { clock, process, raise } = await createWorld();
    const { table } = process(LAST);
    for (const call of callsOf(table)) await expect(call()).rejects.toThrow(/rows have schema version 1,/);
    await raise();
    clock.advance(TIMING.schemaNotice - 1);
    await expect(table.get(KEY)).rejects.toThrow(UnknownSchemaError);
    clock.advance(1);
    expect(await table.get(KEY)).toEqual(ROW);
  });
});

describe('a failed read of the schema row', () => {
  it('fails the call that made it, and no call that waited for it', async () => {
    const { table: inner, process } = await createWorld();
    const failing: Table = {
      ...inner,
      batchGet: () => Promise.reject(new UnavailableError('no answer')),
    };
    const { table } = process(PRESENT, failing);
    const [first, other] = await Promise.allSettled([table.get(KEY), table.put(ROW)]);
    expect(first.status).toBe('rejected');
    expect(other).toEqual({ status: 'fulfilled', value: { outcome: 'done' } });
  });

  it('before a transaction reports that nothing was written, and is retried', async () => {
    const { table: inner, clock, process } = await createWorld();
    let fails = true;
    const failing: Table = {
      ...inner,
      get: (key) => (fails ? Promise.reject(new UnavailableError('no answer')) : inner.get(key)),
    };
    const { table } = process(PRESENT, failing);
    const { signal } = new AbortController();
    expect(await table.transact([{ put: ROW }], signal)).toEqual({ outcome: 'cancelled', throttled: true });
    const random = { fraction: () => 0, uuid: () => '' };
    const patient = retryingTable({ table, clock, random: random as never }).transact([{ put: ROW }], signal);
    fails = false;
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise(setImmediate);
      clock.advance(1_000);
    }
    expect(await patient).toEqual({ outcome: 'committed' });
  });
});

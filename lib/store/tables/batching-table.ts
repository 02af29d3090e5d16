import type { Key, Row, Table } from '../table.ts';

interface Asked {
  readonly key: Key;
  readonly answer: PromiseWithResolvers<Row | undefined>;
}

/**
 * The same table, with the rows that are asked for side by side read in one request: those that are asked for while
 * one is under way go together in the next. Each is read after it was asked for, as by itself. Gathered are only
 * those with one end of time, an invocation's, so that nobody's end is another's.
 */
export function batchingTable(table: Table): Table {
  const gathering = new Map<AbortSignal | undefined, Asked[]>();
  return {
    ...table,
    get: (key, signal) => {
      const asked = { key, answer: Promise.withResolvers<Row | undefined>() };
      const waiting = gathering.get(signal);
      if (waiting !== undefined) {
        waiting.push(asked);
      } else {
        gathering.set(signal, [asked]);
        void readAll(table, gathering, signal);
      }
      return asked.answer.promise;
    },
  };
}

/** Never rejects: the callers get the error. */
async function readAll(
  table: Table,
  gathering: Map<AbortSignal | undefined, Asked[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Those who ask in the same moment.
  await Promise.resolve();
  for (let asked = gathering.get(signal) ?? []; asked.length > 0; asked = gathering.get(signal) ?? []) {
    gathering.set(signal, []);
    await readTogether(table, asked, signal);
  }
  gathering.delete(signal);
}

async function readTogether(table: Table, asked: readonly Asked[], signal: AbortSignal | undefined) {
  const keys = new Map(asked.map(({ key }) => [`${key.pk} ${key.sk}`, key]));
  try {
    const rows = await rowsOf(table, [...keys.values()], signal);
    const found = new Map(rows.map((row) => [`${row.pk} ${row.sk}`, row]));
    for (const { key, answer } of asked) answer.resolve(found.get(`${key.pk} ${key.sk}`));
  } catch (error) {
    for (const { answer } of asked) answer.reject(error);
  }
}

async function rowsOf(table: Table, keys: readonly Key[], signal?: AbortSignal): Promise<Row[]> {
  const [only, ...others] = keys;
  if (only === undefined || others.length > 0) return table.batchGet(keys, signal);
  const row = await table.get(only, signal);
  return row === undefined ? [] : [row];
}

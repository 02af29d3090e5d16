import type { Key, Row, Table } from '../table.ts';

interface WaitingGet {
  readonly key: Key;
  readonly answer: PromiseWithResolvers<Row | undefined>;
}

/**
 * The same table, but concurrent gets are read in one request. Gets that arrive while a request is under way go
 * together into the next one. So no get receives a row that was read before the get began. A batch holds only gets
 * with the same signal (that of one invocation), so no get ends at another's deadline.
 */
export function batchingTable(table: Table): Table {
  const gathering = new Map<AbortSignal | undefined, WaitingGet[]>();
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

/** Reads all waiting gets. It never rejects: the callers receive the error. */
async function readAll(
  table: Table,
  gathering: Map<AbortSignal | undefined, WaitingGet[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Wait for gets that are called in the same tick.
  await Promise.resolve();
  for (let asked = gathering.get(signal) ?? []; asked.length > 0; asked = gathering.get(signal) ?? []) {
    gathering.set(signal, []);
    await readTogether(table, asked, signal);
  }
  gathering.delete(signal);
}

async function readTogether(table: Table, asked: readonly WaitingGet[], signal: AbortSignal | undefined) {
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

import type { Key, Row, Table } from '../table.ts';

/** A table whose first read also reads another row. */
export interface BesideTable extends Table {
  /** The other row: as the first read found it, or read now if there was no read yet. */
  beside(): Promise<Row | undefined>;
}

/**
 * The same table, whose first get or batch of gets also reads the row at `key`, in the same request. The row then costs
 * its read units and no request.
 */
export function besideTable(table: Table, key: Key): BesideTable {
  let known: Promise<Row | undefined> | undefined;
  const isOther = (one: Key) => one.pk === key.pk && one.sk === key.sk;
  const readWith = async (keys: readonly Key[], signal?: AbortSignal): Promise<Row[]> => {
    const isAsked = keys.some(isOther);
    const reading = table.batchGet(isAsked ? keys : [...keys, key], signal);
    const found = reading.then((rows) => rows.find(isOther));
    known = found;
    // A failed read is not the answer: the next caller reads again.
    found.catch(() => {
      if (known === found) known = undefined;
    });
    const rows = await reading;
    return isAsked ? rows : rows.filter((row) => !isOther(row));
  };
  return {
    ...table,
    get: async (one, signal, reading) => {
      if (known !== undefined || reading === 'eventual') return table.get(one, signal, reading);
      return (await readWith([one], signal))[0];
    },
    batchGet: (keys, signal, reading) =>
      known !== undefined || reading === 'eventual'
        ? table.batchGet(keys, signal, reading)
        : readWith(keys, signal),
    beside: async () => known ?? table.get(key),
  };
}

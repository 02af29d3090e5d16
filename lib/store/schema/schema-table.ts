import { OutOfTimeError, ThrottledError, UnavailableError } from '../errors.ts';
import { schemaKey } from '../keys.ts';
import { type Consumed, isMetered, type Key, type MeteredTable, type Row, type Table } from '../table.ts';
import type { RowSchema } from './row-schema.ts';

/** Errors that mean the schema row could not be read: nothing was written. */
const UNSEEN = [ThrottledError, UnavailableError, OutOfTimeError];

/**
 * The same table, but every call waits until this process has checked that it supports the rows' schema. While the
 * last read of the schema row is valid, the check takes no request. Otherwise a get reads the schema row together
 * with its own rows, a query reads it in parallel, and a write reads it first.
 *
 * @throws {UnknownSchemaError} from every operation.
 */
export function schemaTable(table: MeteredTable, schema: RowSchema): MeteredTable;
export function schemaTable(table: Table, schema: RowSchema): Table;
export function schemaTable(table: Table, schema: RowSchema): Table {
  return {
    ...guarded(table, schema),
    ...(isMetered(table) && {
      metered: (report: (consumed: Consumed) => void) => metered(table, schema, report),
    }),
  };
}

/** The metered table. Only the caller's own requests are measured, so the schema row is read separately. */
function metered(table: MeteredTable, schema: RowSchema, report: (consumed: Consumed) => void): MeteredTable {
  const inner = table.metered(report);
  const look = (signal?: AbortSignal) => schema.look(() => table.get(schemaKey, signal));
  return {
    ...guarded(inner, schema, look),
    get: async (key, signal, reading) => {
      await look(signal);
      return inner.get(key, signal, reading);
    },
    batchGet: async (keys, signal, reading) => {
      await look(signal);
      return inner.batchGet(keys, signal, reading);
    },
    metered: (another) => metered(table, schema, another),
  };
}

function guarded(
  table: Table,
  schema: RowSchema,
  look = (signal?: AbortSignal) => schema.look(() => table.get(schemaKey, signal)),
): Table {
  /** Returns the rows, if the schema row was read with them; otherwise undefined. */
  const gotBeside = async (keys: readonly Key[], signal?: AbortSignal): Promise<Row[] | undefined> => {
    let rows: Row[] | undefined;
    await schema.look(async () => {
      rows = await table.batchGet([...keys, schemaKey], signal);
      return rows.find(isSchema);
    });
    return rows?.filter((row) => !isSchema(row));
  };
  return {
    ...(table.deadline === undefined ? {} : { deadline: table.deadline }),
    rowSchema: () => schema.written,
    get: async (key, signal, reading) => {
      if (isSchema(key)) {
        await look(signal);
        return table.get(key, signal);
      }
      const rows = await gotBeside([key], signal);
      return rows === undefined ? table.get(key, signal, reading) : rows[0];
    },
    batchGet: async (keys, signal, reading) =>
      (await gotBeside(keys, signal)) ?? table.batchGet(keys, signal, reading),
    query: async (request, signal) => {
      if (schema.isSeen) return table.query(request, signal);
      const [page] = await Promise.all([table.query(request, signal), look(signal)]);
      return page;
    },
    put: async (row, condition, signal) => {
      await look(signal);
      return table.put(row, condition, signal);
    },
    update: async (key, change, signal) => {
      await look(signal);
      return table.update(key, change, signal);
    },
    delete: async (key, condition, signal) => {
      await look(signal);
      return table.delete(key, condition, signal);
    },
    transact: async (items, signal) => {
      try {
        await look(signal);
      } catch (error) {
        if (!UNSEEN.some((type) => error instanceof type)) throw error;
        return { outcome: 'cancelled', throttled: true };
      }
      return table.transact(items, signal);
    },
  };
}

const isSchema = ({ pk }: Key) => pk === schemaKey.pk;

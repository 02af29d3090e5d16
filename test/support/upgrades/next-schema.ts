import { createDynamoTable, type DynamoTableOptions } from '../../../lib/store/dynamodb/dynamo-table.ts';
import {
  type Consumed,
  KNOWN_SCHEMAS,
  type KnownSchemas,
  type MeteredTable,
  type Row,
  RowSchema,
  schemaTable,
  type Table,
} from '../../../lib/store/index.ts';

/** Those of the next version of Winnow, as tests have it. */
export const NEXT_SCHEMAS: KnownSchemas = { ...KNOWN_SCHEMAS, newest: KNOWN_SCHEMAS.newest + 1 };

/** How long it goes by a look at the schema row, in ms: a test waits for it. */
export const NEXT_COUNTS = 300;

/**
 * Stands in for `openTable` in the next version: the bodies of objects and journal entries stand in `content`, where
 * the version before looks for them in `body` and finds nothing.
 */
export function openTable(options: DynamoTableOptions): MeteredTable {
  const schema = new RowSchema({ ...options, known: NEXT_SCHEMAS, counts: NEXT_COUNTS });
  return schemaTable(nextTable(createDynamoTable(options), schema), schema);
}

function nextTable(table: MeteredTable, schema: RowSchema): MeteredTable {
  const metered = (report: (consumed: Consumed) => void) => translated(table.metered(report), schema);
  return { ...translated(table, schema), metered };
}

function translated(table: Table, schema: RowSchema): Table {
  const spell = (row: Row) => (schema.written < NEXT_SCHEMAS.newest ? row : spelled(row));
  return {
    ...table,
    get: async (...request) => {
      const row = await table.get(...request);
      return row && understood(row);
    },
    query: async (...request) => {
      const { rows, more } = await table.query(...request);
      return { rows: rows.map(understood), more };
    },
    batchGet: async (...request) => (await table.batchGet(...request)).map(understood),
    put: async (row, ...request) => {
      const { existing, ...answer } = await table.put(spell(row), ...request);
      return { ...answer, ...(existing && { existing: understood(existing) }) };
    },
    transact: (items, signal) => {
      // One version for all of a transaction.
      const isNext = schema.written >= NEXT_SCHEMAS.newest;
      const spelt = items.map((item) =>
        'put' in item && isNext ? { ...item, put: spelled(item.put) } : item,
      );
      return table.transact(spelt, signal);
    },
  };
}

const CARRIES = /^(object|journal)#/;

function spelled(row: Row): Row {
  const { body, ...rest } = row;
  return body === undefined || !CARRIES.test(row.pk) ? row : { ...rest, content: body };
}

function understood(row: Row): Row {
  const { content, ...rest } = row;
  return content === undefined ? row : { ...rest, body: content };
}

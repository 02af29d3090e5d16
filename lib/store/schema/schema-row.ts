import type { Collection } from '../../json/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import { headKey, schemaKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';
import type { KnownSchemas } from './known-schemas.ts';

/** What the schema row says. It only rises, by one at a time. */
export interface SchemaState {
  /** The version that rows are written in; a table without the row has the first. */
  readonly version: number;
  /** From when on that is so, in ms since the epoch; until then it is the version before. */
  readonly from: number;
}

export function schemaIn(row: Row | undefined): SchemaState {
  return { version: Number(row?.version ?? 1), from: Number(row?.from ?? 0) };
}

/** The version that rows are written in at that time. */
export function writtenAt({ version, from }: SchemaState, now: number): number {
  return now < from ? version - 1 : version;
}

/** What the row says, read consistently. */
export async function readSchema(table: Table): Promise<SchemaState> {
  return schemaIn(await table.get(schemaKey));
}

export interface RaiseOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly known: KnownSchemas;
  /** ms from now until the version is written. By then releases that do not know it have read the row. */
  readonly notice?: number;
}

/**
 * Has rows written in the version after the present one, from `notice` on. Releases that do not know the version no
 * longer use the table. Does nothing where it is not known here either, or where somebody else was faster.
 *
 * @returns what the row says then.
 */
export async function raiseSchema(options: RaiseOptions): Promise<SchemaState> {
  const { table, clock, known, notice = TIMING.schemaNotice } = options;
  const row = await table.get(schemaKey);
  const { version, from } = schemaIn(row);
  const began = clock.now();
  if (version >= known.newest || began < from) return { version, from };
  const raised = { version: version + 1, from: began + notice };
  await table.put({ ...schemaKey, ...raised }, [
    row === undefined ? { missing: 'pk' } : { attribute: 'version', is: '=', value: version },
  ]);
  return readSchema(table);
}

/**
 * Has rows of a new table written in the newest version: nobody works on it yet who does not know that. Does nothing
 * where the row is there, or any object of the collection.
 */
export async function beginSchema(
  table: Table,
  { newest }: KnownSchemas,
  collection: Collection,
): Promise<void> {
  const head = await table.get(headKey(collection));
  if (head !== undefined) return;
  await table.put({ ...schemaKey, version: newest, from: 0 }, [{ missing: 'pk' }]);
}

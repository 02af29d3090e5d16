import type { Collection } from '../../json/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import { headKey, schemaKey } from '../keys.ts';
import type { Row, Table } from '../table.ts';
import type { KnownSchemas } from './known-schemas.ts';

/** The content of the schema row. The version only rises, by one at a time. */
export interface SchemaState {
  /** The version in which rows are written; 1 in a table without the row. */
  readonly version: number;
  /** The time from which `version` applies, in ms since the epoch. Until then the previous version applies. */
  readonly from: number;
}

export function schemaIn(row: Row | undefined): SchemaState {
  return { version: Number(row?.version ?? 1), from: Number(row?.from ?? 0) };
}

/** The version in which rows are written at that time. */
export function writtenAt({ version, from }: SchemaState, now: number): number {
  return now < from ? version - 1 : version;
}

/** The schema row, read consistently. */
export async function readSchema(table: Table): Promise<SchemaState> {
  return schemaIn(await table.get(schemaKey));
}

export interface RaiseOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly known: KnownSchemas;
  /** The time from now until the version applies, in ms. By then releases that do not support it have read the row. */
  readonly notice?: number;
}

/**
 * Raises the schema version by one, effective after `notice`. Releases that do not support the new version stop using
 * the table. Does nothing if this code does not support it either, or if another process was faster.
 *
 * @returns the content of the row afterwards.
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
 * Sets the newest schema version for a new table. No older release uses the table yet. Does nothing if the schema row
 * exists, or if `collection` was ever written.
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

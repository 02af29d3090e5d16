import { GoneError } from '../errors.ts';
import type { Attribute, Row, Table } from '../table.ts';
import { type ChunkRef, readChunks } from './chunk-rows.ts';

/**
 * Rows keep bodies in two attributes: the state that the row is about, and the state before it. Each is inline, or in
 * chunk rows that another attribute references. Small rows keep a merge patch instead of the state before.
 */
const PLACES = { body: 'chunks', former: 'formerChunks' } as const;

/** A chunk of a body is missing: the collector has deleted it, or the table is a copy that lacks it. */
export class MissingChunksError extends Error {
  override name = 'MissingChunksError';
}

/**
 * The row with its bodies inline. A row of an object also references a former state; only a restore reads that one, so
 * the caller names the bodies that it needs.
 *
 * @throws {MissingChunksError}
 */
export async function wholeRow(
  table: Table,
  row: Row,
  needed: readonly (keyof typeof PLACES)[] = ['body'],
): Promise<Row> {
  const bodies: Record<string, Attribute> = {};
  for (const body of needed) {
    const ref = row[PLACES[body]];
    if (ref === undefined || row[body] !== undefined) continue;
    const read = await readChunks(table, String(ref));
    if (read === undefined) throw new MissingChunksError(missing(row, String(ref)));
    bodies[body] = read;
  }
  return Object.keys(bodies).length === 0 ? row : { ...row, ...bodies };
}

/** @throws {GoneError} the entry is so old that its chunks were deleted */
export async function wholeEntry(table: Table, row: Row): Promise<Row> {
  try {
    return await wholeRow(table, row, ['body', 'former']);
  } catch (error) {
    throw error instanceof MissingChunksError ? new GoneError(error.message) : error;
  }
}

function missing({ pk, sk }: Row, ref: ChunkRef): string {
  return `the body of ${pk} ${sk} is incomplete: chunks of ${ref} are missing`;
}

import type { Collection } from '../../json/index.ts';
import { isApart } from '../bodies-apart.ts';
import { decodeBody } from '../body/index.ts';
import { MissingChunksError, wholeRow } from '../chunks/index.ts';
import { JournalChange } from '../journal.ts';
import { journalKey, parseNameKey } from '../keys.ts';
import { type ObjectState, stateOf } from '../object.ts';
import type { Attribute, Row, Table } from '../table.ts';
import { parseObjectRow } from '../write.ts';

/** The row with a body inline; undefined if the copy lacks chunks of it. */
export async function readableRow(
  table: Table,
  row: Row,
  body: 'body' | 'former' = 'body',
): Promise<Row | undefined> {
  try {
    return await wholeRow(table, row, [body]);
  } catch (error) {
    if (error instanceof MissingChunksError) return undefined;
    throw error;
  }
}

/** The state of an object's row without its body. It has what other rows repeat: the labels and the lists of rows. */
export function stateWithoutBody(row: Row): ObjectState {
  const metadata = { uid: row.uid, labels: JSON.parse(String(row.labels)) };
  return parseObjectRow(parseNameKey(row.sk), { ...row, body: JSON.stringify({ metadata }) });
}

/** An object at one resourceVersion, or its deletion. */
export interface ReadableState {
  readonly state: ObjectState;
  readonly isDeleted: boolean;
}

interface Versions {
  readonly collection: Collection;
  /** As `nameKey` spells it. */
  readonly name: string;
  /** The resourceVersions of the object's young entries, the newest first. */
  readonly versions: readonly number[];
}

/**
 * The newest state of an object that young journal entries show. An entry whose body is missing still has the state
 * before. Undefined if none shows one.
 */
export async function newestReadable(
  table: Table,
  { collection, name, versions }: Versions,
): Promise<ReadableState | undefined> {
  for (const rv of versions) {
    const row = await table.get(journalKey(collection, rv));
    const shown = row?.name === name ? await shownBy(table, row) : undefined;
    if (shown !== undefined) return shown;
  }
  return undefined;
}

async function shownBy(table: Table, row: Row): Promise<ReadableState | undefined> {
  const [name, rv] = [String(row.name), Number(row.sk)];
  const isDeleted = row.type === 'DELETED';
  const whole = await readableRow(table, row);
  if (whole !== undefined) {
    const { changesMain, previousMain, state } = new JournalChange(whole);
    const mainRv = changesMain ? rv : previousMain;
    return { state: { ...state, ...(mainRv > 0 && { mainRv }) }, isDeleted };
  }
  if (isDeleted) return readable({ name, rv, mainRv: 0, isDeleted }, '{}');
  if (row.type === 'ADDED') return readable({ name, rv, mainRv: 0, isDeleted: true }, '{}');
  const former = (await readableRow(table, row, 'former'))?.former;
  const [previous, mainRv] = [Number(row.previousRv), Number(row.previousMain ?? 0)];
  if (former === undefined) return undefined;
  return readable({ name, rv: previous, mainRv, isDeleted: false }, former);
}

/** The state that an object's row keeps besides its chunks; undefined if it has none, or if the copy lacks it too. */
export async function keptState(table: Table, row: Row): Promise<ObjectState | undefined> {
  if (row.formerRv === undefined) return undefined;
  const former = (await readableRow(table, row, 'former'))?.former;
  if (former === undefined) return undefined;
  return readable({ name: row.sk, rv: Number(row.formerRv), mainRv: 0, isDeleted: false }, former).state;
}

interface Facts {
  readonly name: string;
  readonly rv: number;
  readonly mainRv: number;
  readonly isDeleted: boolean;
}

function readable({ name, rv, mainRv, isDeleted }: Facts, encoded: Attribute): ReadableState {
  const state = stateOf(parseNameKey(name), rv, decodeBody(encoded));
  return { state: { ...state, ...(mainRv > 0 && { mainRv }) }, isDeleted };
}

/** Whether the copy lacks a body of a journal entry. */
export async function isIncomplete(table: Table, row: Row): Promise<boolean> {
  if (!isApart(row)) return false;
  return (
    (await readableRow(table, row)) === undefined || (await readableRow(table, row, 'former')) === undefined
  );
}

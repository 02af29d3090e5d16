import type { Collection } from '../json/index.ts';
import type { Clock } from '../platform/index.ts';
import { wholeRow } from './bodies-apart.ts';
import type { Known, PrefetchRequest } from './contract.ts';
import { versionIn } from './head.ts';
import { headKey, nameKey, objectKey } from './keys.ts';
import type { Key, Table } from './table.ts';
import { parseObjectRow } from './write.ts';

/** Objects in the order of the request, and the heads of collections. */
export interface RowsTogether {
  readonly objects: readonly Known[];
  readonly heads: ReadonlyMap<Collection, number>;
}

/** Reads objects and heads in one request. */
export async function readTogether(
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  { objects, collections }: PrefetchRequest,
): Promise<RowsTogether> {
  const at = clock.now();
  const objectKeys = objects.map(({ collection, name }) => objectKey(collection, nameKey(name)));
  const rows = await table.batchGet([...objectKeys, ...collections.map(headKey)]);
  const byKey = new Map(rows.map((row) => [spelled(row), row]));
  const reading = objects.map(async ({ collection, name }) => {
    const row = byKey.get(spelled(objectKey(collection, nameKey(name))));
    return { at, state: row && parseObjectRow(name, await wholeRow(table, row)) };
  });
  const heads = collections.map((one) => [one, versionIn(byKey.get(spelled(headKey(one))))] as const);
  return { objects: await Promise.all(reading), heads: new Map(heads) };
}

const spelled = ({ pk, sk }: Key): string => `${pk} ${sk}`;

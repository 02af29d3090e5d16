import type { Collection } from '../json/index.ts';
import { declaredKey, declaredPartition } from './keys.ts';
import type { Table } from './table.ts';

/** A collection that is not built in, for functions that work on all collections. */
export interface DeclaredCollection {
  readonly collection: Collection;
  /** Of its objects, as they are stored. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** What a field selector may name beyond metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
  /** When it was declared last, in ms since the epoch. */
  readonly time: number;
}

/**
 * Says that there is a collection, before anything can be in it. It stays said until it is forgotten, longer than its
 * definition: its journal and those who are sent its changes outlive that.
 */
export async function declareCollection(table: Table, declared: DeclaredCollection): Promise<void> {
  const { collection, fields, ...rest } = declared;
  await table.put({ ...declaredKey(collection), ...rest, fields: JSON.stringify(fields) });
}

/** All that were declared, read consistently. */
export async function readDeclared(table: Table): Promise<DeclaredCollection[]> {
  const declared: DeclaredCollection[] = [];
  for (let from = '!'; ; ) {
    const page = await table.query({ partition: declaredPartition, from, to: '~' });
    for (const { sk, apiVersion, kind, namespaced, fields, time } of page.rows) {
      declared.push({
        collection: sk as Collection,
        apiVersion: String(apiVersion),
        kind: String(kind),
        namespaced: namespaced === true,
        fields: JSON.parse(String(fields)),
        time: Number(time),
      });
    }
    const last = page.rows.at(-1);
    if (!page.more || last === undefined) return declared;
    from = `${last.sk}!`;
  }
}

/** Forgets a collection, unless it was declared again since it was read. */
export async function forgetCollection(
  table: Table,
  { collection, time }: DeclaredCollection,
): Promise<void> {
  await table.delete(declaredKey(collection), [{ attribute: 'time', is: '=', value: time }]);
}

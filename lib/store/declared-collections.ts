import type { Collection } from '../json/index.ts';
import { declaredKey, declaredPartition } from './keys.ts';
import type { Table } from './table.ts';

/** A collection that is not built in, for functions that work on all collections. */
export interface DeclaredCollection {
  readonly collection: Collection;
  /** The stored objects' apiVersion and kind. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The fields that a field selector may name, in addition to metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
  /** The time of the last declaration, in ms since the epoch. */
  readonly time: number;
}

/**
 * Declares a collection, before it can have objects. The declaration stays until {@link forgetCollection}, longer
 * than the collection's definition: its journal, and the consumers of its changes, outlive the definition.
 */
export async function declareCollection(table: Table, declared: DeclaredCollection): Promise<void> {
  const { collection, fields, ...rest } = declared;
  await table.put({ ...declaredKey(collection), ...rest, fields: JSON.stringify(fields) });
}

/** All declared collections, read consistently. */
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

/** Removes the declaration of a collection, unless it was declared again since it was read. */
export async function forgetCollection(
  table: Table,
  { collection, time }: DeclaredCollection,
): Promise<void> {
  await table.delete(declaredKey(collection), [{ attribute: 'time', is: '=', value: time }]);
}

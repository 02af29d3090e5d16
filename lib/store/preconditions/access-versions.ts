import { type Collection, collectionOf } from '../../json/index.ts';
import { type Random, TABLE } from '../../platform/index.ts';
import { accessKey } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';

/**
 * The resourceVersion of the last write to each collection that defines permissions; 0 if there was none since this
 * row exists.
 */
export type AccessVersions = ReadonlyMap<Collection, number> & {
  /** A secret that only the server knows. Each write of a grant replaces it. */
  readonly secret?: string;
};

const SECRET = TABLE.accessSecret;
/**
 * The collections whose writes replace the secret, because they change which objects a user may see. The server
 * encrypts continue tokens of users with limited access with the secret.
 */
const SECRETIVE: ReadonlySet<Collection> = new Set([
  collectionOf('winnow.dev', 'accessgrants'),
  collectionOf('winnow.dev', 'clusteraccessgrants'),
]);

/** The collections that define permissions, each with its attribute in the row. */
const ATTRIBUTES: ReadonlyMap<Collection, string> = new Map(
  Object.entries(TABLE.access).flatMap(([group, resources]) =>
    resources.map((resource) => [collectionOf(group, resource), resource]),
  ),
);

export const ACCESS_COLLECTIONS: readonly Collection[] = [...ATTRIBUTES.keys()];

/** Reads the access row, consistently: one request for one row. */
export async function readAccessVersions(table: Table): Promise<AccessVersions> {
  const row = await table.get(accessKey);
  const versions = [...ATTRIBUTES].map(
    ([collection, attribute]) => [collection, Number(row?.[attribute] ?? 0)] as const,
  );
  const secret = row?.[SECRET];
  return Object.assign(new Map(versions), typeof secret === 'string' && { secret });
}

/**
 * The items that a write at `rv` adds to its transaction: once the write commits, the row names `rv`. The row's value
 * only rises, so everything up to it is decided: a later writer with a lower resourceVersion writes nothing.
 */
export function accessItems(collection: Collection, rv: number, secret: string | undefined): TransactItem[] {
  const attribute = ATTRIBUTES.get(collection);
  if (attribute === undefined) return [];
  const condition = [{ any: [{ missing: attribute }, { attribute, is: '<', value: rv }] }] as const;
  return [
    {
      update: accessKey,
      set: { [attribute]: rv, ...(secret !== undefined && { [SECRET]: secret }) },
      condition,
    },
  ];
}

/** The new secret of a write to the collection; undefined if such writes do not replace it. */
export function newSecret(collection: Collection, random: Random): string | undefined {
  return SECRETIVE.has(collection) ? `${random.uuid()}${random.uuid()}` : undefined;
}

/** The number of items of {@link accessItems}, plus one for a GC task of the object's dependents. */
export function accessEntries(collection: Collection): number {
  return ATTRIBUTES.has(collection) ? 2 : 0;
}

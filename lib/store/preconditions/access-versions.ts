import { type Collection, collectionOf } from '../../json/index.ts';
import { type Random, TABLE } from '../../platform/index.ts';
import { accessKey } from '../keys.ts';
import type { Table, TransactItem } from '../table.ts';

/**
 * Of each collection that decides who may do what, the resourceVersion of its last write; 0 where none was since there
 * is such a row.
 */
export type AccessVersions = ReadonlyMap<Collection, number> & {
  /** Made anew with each write of a grant, and known to the server alone. */
  readonly secret?: string;
};

const SECRET = TABLE.accessSecret;
/** Of these it matters what was seen before. */
const SECRETIVE: ReadonlySet<Collection> = new Set([
  collectionOf('winnow.dev', 'accessgrants'),
  collectionOf('winnow.dev', 'clusteraccessgrants'),
]);

/** What decides who may do what, each with its attribute in the row. */
const ATTRIBUTES: ReadonlyMap<Collection, string> = new Map(
  Object.entries(TABLE.access).flatMap(([group, resources]) =>
    resources.map((resource) => [collectionOf(group, resource), resource]),
  ),
);

export const ACCESS_COLLECTIONS: readonly Collection[] = [...ATTRIBUTES.keys()];

/** Read consistently, in one request for one row. */
export async function readAccessVersions(table: Table): Promise<AccessVersions> {
  const row = await table.get(accessKey);
  const versions = [...ATTRIBUTES].map(
    ([collection, attribute]) => [collection, Number(row?.[attribute] ?? 0)] as const,
  );
  const secret = row?.[SECRET];
  return Object.assign(new Map(versions), typeof secret === 'string' && { secret });
}

/**
 * What a write at `rv` adds to its transaction: the row names it from then on. It only rises, so everything up to it
 * is decided: a later writer with a lower resourceVersion writes nothing.
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

/** The secret that a write of the collection brings; undefined where it brings none. */
export function newSecret(collection: Collection, random: Random): string | undefined {
  return SECRETIVE.has(collection) ? `${random.uuid()}${random.uuid()}` : undefined;
}

/** What that takes of a transaction, and a look at an object's dependents beside it. */
export function accessEntries(collection: Collection): number {
  return ATTRIBUTES.has(collection) ? 2 : 0;
}

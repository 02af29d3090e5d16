import { type Collection, collectionOf } from '../../json/index.ts';
import { type Random, TABLE } from '../../platform/index.ts';
import { FIRST_VERSION, versionIn } from '../head.ts';
import { accessKey, headKey } from '../keys.ts';
import { KNOWN_SCHEMAS, RULES_SCHEMA } from '../schema/index.ts';
import type { Row, Table, TransactItem } from '../table.ts';

/**
 * The resourceVersion of the last write to each collection that defines permissions or admission rules; 0 if there was
 * none since this row exists.
 */
export type AccessVersions = ReadonlyMap<Collection, number> & {
  /** A secret that only the server knows. Each write of a grant replaces it. */
  readonly secret?: string;
  /**
   * Whether the row names the last write of every collection of admission rules. `false`: a write from before the row
   * schema {@link RULES_SCHEMA} may be missing. Absent: the table has an older schema, in which no rule counts.
   */
  readonly namesRules?: boolean;
};

/** The resourceVersion of the last write to each collection of admission rules and possibly of others; 0 for none. */
export type RuleVersions = ReadonlyMap<Collection, number>;

const SECRET = TABLE.accessSecret;
/** The API group of admission rules. */
const RULES = 'admissionregistration.k8s.io';
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

/** The collections of admission rules: policies, their bindings and webhook configurations. */
export const RULE_COLLECTIONS: readonly Collection[] = TABLE.access[RULES].map((resource) =>
  collectionOf(RULES, resource),
);

/** Reads the access row, consistently: one request for one row. */
export async function readAccessVersions(table: Table): Promise<AccessVersions> {
  return versionsIn(await table.get(accessKey), table);
}

/** The versions in the access row of a table, which was read. */
export function versionsIn(row: Row | undefined, { rowSchema }: Pick<Table, 'rowSchema'>): AccessVersions {
  const versions = new Map<Collection, number>();
  for (const [collection, attribute] of ATTRIBUTES) versions.set(collection, Number(row?.[attribute] ?? 0));
  const secret = row?.[SECRET];
  const counts = (rowSchema?.() ?? KNOWN_SCHEMAS.newest) >= RULES_SCHEMA;
  return Object.assign(versions, {
    ...(typeof secret === 'string' && { secret }),
    ...(counts && { namesRules: TABLE.access[RULES].every((resource) => row?.[resource] !== undefined) }),
  });
}

/**
 * The versions of the collections of admission rules; undefined if no rule counts in the table's row schema. The first
 * reader after a raise of the schema names the writes from before it: it copies the heads of the collections into the
 * row. No older release writes by then, and the writes of this release name themselves.
 */
export async function ruleVersions(
  table: Table,
  versions: AccessVersions,
): Promise<RuleVersions | undefined> {
  const { namesRules } = versions;
  if (namesRules === undefined) return undefined;
  if (namesRules) return versions;
  const heads = await nameRules(table);
  return new Map(
    RULE_COLLECTIONS.map((one) => [one, Math.max(versions.get(one) ?? 0, heads.get(one) ?? 0)] as const),
  );
}

/**
 * Adds the collections of admission rules that the access row does not name. If that fails, a later reader does it: a
 * transaction may hold the row, or a function may not update it. Resolves to the heads; 0 for a collection without any
 * write.
 */
async function nameRules(table: Table): Promise<ReadonlyMap<Collection, number>> {
  const rows = await table.batchGet(RULE_COLLECTIONS.map(headKey));
  const heads = RULE_COLLECTIONS.map((collection) => {
    const head = versionIn(rows.find(({ pk }) => pk === headKey(collection).pk));
    return [collection, head === FIRST_VERSION ? 0 : head] as const;
  });
  const setMissing = Object.fromEntries(heads.map(([one, head]) => [ATTRIBUTES.get(one) ?? '', head]));
  await table.update(accessKey, { setMissing }).catch(() => undefined);
  return new Map(heads);
}

/**
 * Removes the versions of admission rules from the access row of a restored table. The row may be older than the rules
 * of the copy. The next reader names the heads of the collections instead.
 */
export async function forgetRuleVersions(table: Table): Promise<void> {
  await table.update(accessKey, { remove: TABLE.access[RULES] });
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

import { collectionOf, type JsonValue, jsonEquals } from '../../json/index.ts';
import { aggregateRoles, type ClusterRole, Policy } from '../../kubernetes/rbac/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { trackFields } from '../objects/index.ts';
import { storeWith } from '../registry/index.ts';

const CLUSTER_ROLES = collectionOf('rbac.authorization.k8s.io', 'clusterroles');
const MANAGER = 'clusterrole-aggregation-controller';
/**
 * The most passes of one writer. If another writer changes roles during a pass, the next pass reads all roles again.
 * The last writer also reads last, so it sees all changes.
 */
const ROUNDS = 5;

export interface AggregatingOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Wraps the store for writes of cluster roles. Before such a write is acknowledged, the wrapper writes the rules of
 * every aggregated role again. Decisions do not depend on these rows, because the policy cache aggregates the roles
 * itself.
 */
export function aggregatingStore({ store: given, clock }: AggregatingOptions): Store {
  return storeWith(given, (store) => ({
    write: async (collection, name, change, options) => {
      const outcome = await store.write(collection, name, change, options);
      if (collection === CLUSTER_ROLES && options?.dryRun !== true) await writeAggregated({ store, clock });
      return outcome;
    },
  }));
}

/** Writes the rules of each aggregated cluster role whose stored rules are out of date. */
export async function writeAggregated({ store, clock }: AggregatingOptions): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const stale = await staleRoles(store);
    if (stale.length === 0) return;
    for (const role of stale) await writeRules({ store, clock }, role);
  }
}

async function staleRoles(store: Store): Promise<ClusterRole[]> {
  const roles = (await store.snapshot([CLUSTER_ROLES])).get(CLUSTER_ROLES) ?? [];
  const policy = new Policy();
  for (const { body } of roles) policy.set('ClusterRole', body as unknown as ClusterRole);
  const written = new Map(roles.map(({ name, body }) => [name.name, body]));
  return aggregateRoles(policy).filter(
    ({ metadata, rules }) => !jsonEquals(written.get(metadata.name)?.rules ?? [], jsonOf(rules)),
  );
}

async function writeRules(
  { store, clock }: AggregatingOptions,
  { metadata, rules }: ClusterRole,
): Promise<void> {
  const { name } = metadata;
  await store.write(CLUSTER_ROLES, { namespace: '', name }, async (current) => {
    const isMade = current !== undefined && current.body.aggregationRule !== undefined;
    if (!isMade || jsonEquals(current.body.rules ?? [], jsonOf(rules))) return { kind: 'none' };
    const type = findResourceType('rbac.authorization.k8s.io', 'v1', 'clusterroles');
    if (type === undefined) throw new Error('the resource type clusterroles is missing');
    const route = { type, verb: 'update', namespace: '', name, subresource: '' } as const;
    const tracking = await trackFields({ route, manager: MANAGER, clock });
    return tracking.changed(current, { kind: 'put', body: { ...current.body, rules: jsonOf(rules) } });
  });
}

const jsonOf = (rules: ClusterRole['rules']): JsonValue => (rules ?? []) as unknown as JsonValue;

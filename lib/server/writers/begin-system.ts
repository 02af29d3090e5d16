import type { Hints } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { apiVersionOf, findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import { beginSchema, KNOWN_SCHEMAS, type Store, type Table, type WriteOutcome } from '../../store/index.ts';
import type { EnsureOptions } from '../objects/index.ts';
import { ensureBootstrapRoles } from './ensure-bootstrap-roles.ts';
import { ensurePriorityClasses } from './ensure-priority-classes.ts';
import { ensureServiceAccounts } from './ensure-service-accounts.ts';
import { ensureSystemNamespaces } from './ensure-system-namespaces.ts';

interface SystemOptions {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly hints: Pick<Hints, 'announce'>;
  readonly signal: AbortSignal;
  /** Whether pods run as service accounts. */
  readonly hasAccounts: boolean;
  /** The network of the addresses of Services. */
  readonly serviceRange: string;
}

/** Creates the schema row of a new table and the objects that every deployment has, if they are missing. */
export async function beginSystem(options: SystemOptions): Promise<void> {
  const { table, hints, signal, hasAccounts, serviceRange, ...outside } = options;
  const announce = async (collection: Collection, { after }: WriteOutcome) => {
    if (after !== undefined) await hints.announce(collection, after.rv, signal);
  };
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  await ensureSystemNamespaces(outside);
  await ensurePriorityClasses(outside);
  await ensureBootstrapRoles(outside);
  if (hasAccounts) await ensureServiceAccounts({ ...outside, announce });
  await ensureServiceRange(outside, serviceRange);
}

/**
 * Creates the ServiceCIDR `kubernetes` if it is absent: the range from which Services get their addresses. Every cluster
 * has one.
 *
 * @param range in CIDR notation
 */
async function ensureServiceRange(options: EnsureOptions, range: string): Promise<void> {
  const { ensureObject } = await import('../objects/index.ts');
  const type = findResourceType('networking.k8s.io', 'v1', 'servicecidrs');
  if (type === undefined) throw new Error('the resource type servicecidrs is missing');
  await ensureObject(options, type, {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [range] },
  });
}

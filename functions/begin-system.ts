import type { Hints } from '../lib/coordination/index.ts';
import type { Collection } from '../lib/json/index.ts';
import { NAMESPACES } from '../lib/kubernetes/lifecycle/index.ts';
import { type Clock, type Random, SERVICE_RANGE } from '../lib/platform/index.ts';
import {
  ensureBootstrapRoles,
  ensurePriorityClasses,
  ensureServiceAccounts,
  ensureServiceRange,
  ensureSystemNamespaces,
} from '../lib/server/index.ts';
import { beginSchema, KNOWN_SCHEMAS, type Store, type Table, type WriteOutcome } from '../lib/store/index.ts';
import { optional } from './environment/index.ts';

interface Outside {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly hints: Hints;
  readonly signal: AbortSignal;
}

/** Creates the schema row of a new table and the objects that every deployment has, if they are missing. */
export async function beginSystem({ table, hints, signal, ...outside }: Outside): Promise<void> {
  const announce = async (collection: Collection, { after }: WriteOutcome) => {
    if (after !== undefined) await hints.announce(collection, after.rv, signal);
  };
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  await ensureSystemNamespaces(outside);
  await ensurePriorityClasses(outside);
  await ensureBootstrapRoles(outside);
  if (optional('serviceAccounts') === 'true') await ensureServiceAccounts({ ...outside, announce });
  await ensureServiceRange(outside, optional('serviceClusterIPRange') ?? SERVICE_RANGE);
}

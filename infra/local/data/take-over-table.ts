import { readKnown } from '../../../lib/coordination/index.ts';
import { type TakeOverOptions, takeOver } from '../../../lib/delivery/index.ts';
import {
  collections,
  namespacedCollections,
  targetResources,
} from '../../../lib/kubernetes/resource-types/index.ts';
import { systemClock } from '../../../lib/platform/index.ts';
import { type DynamoTableOptions, openTable } from '../../../lib/store/dynamodb/index.ts';

export type TakeOverTableOptions = Pick<DynamoTableOptions, 'tableName' | 'config'> &
  Pick<TakeOverOptions, 'queuesLost'>;

/**
 * Takes the table over from an earlier run, which may have been killed: dispatch would wait 35 s for its leases,
 * and reconcile 70. Only for a table that nobody else works on.
 */
export async function takeOverTable({ queuesLost, ...options }: TakeOverTableOptions): Promise<void> {
  const table = openTable({ ...options, clock: systemClock });
  const known = { table, collections, namespacedCollections, resources: targetResources };
  await takeOver({ ...(await readKnown(known)), queuesLost });
}

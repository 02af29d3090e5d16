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
 * Ends the leases of an earlier run, which may have been killed. Otherwise dispatch would wait 35 s for them, and
 * reconcile 70 s. Call it only if no other process uses the table.
 */
export async function takeOverTable({ queuesLost, ...options }: TakeOverTableOptions): Promise<void> {
  const table = openTable({ ...options, clock: systemClock });
  const known = { table, collections, namespacedCollections, resources: targetResources };
  await takeOver({ ...(await readKnown(known)), queuesLost });
}

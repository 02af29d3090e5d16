import type { Collection } from '../json/index.ts';
import type { TargetResources } from '../kubernetes/winnow/index.ts';
import { mapBounded } from '../platform/index.ts';
import { cursorKey, type Key, placerKey, type Table } from '../store/index.ts';
import { readShards } from './shards/index.ts';
import {
  readStates,
  restarted,
  type SubscriptionState,
  stateKey,
  updateState,
} from './subscription/index.ts';

export interface TakeOverOptions {
  readonly table: Table;
  readonly collections: readonly Collection[];
  readonly resources: TargetResources;
  /** Whether the queues of all subscriptions are lost, because the service that held them ended. */
  readonly queuesLost: boolean;
}

const AT_ONCE = 4;

/**
 * Prepares a table whose functions all crashed, so that no process waits for their leases. It ends the leases. If the
 * queues are lost, it hands every subscription to reconcile, which restarts it. Use it only if no process works on the
 * table.
 */
export async function takeOver(options: TakeOverOptions): Promise<void> {
  const { table, resources } = options;
  await endLease(table, placerKey);
  await mapBounded(options.collections, AT_ONCE, async (collection) => {
    for (const { group } of await readShards(table, collection)) {
      await endLease(table, cursorKey(collection, group));
    }
    const target = resources.of(collection);
    const states = target === undefined ? [] : await readStates(table, target);
    await mapBounded(states, AT_ONCE, async (state) => {
      if ('leaseHolder' in state) await endLease(table, stateKey(state));
      if (options.queuesLost && state.queueUrl !== '') await beginAnew(table, state);
    });
  });
}

async function endLease(table: Table, key: Key): Promise<void> {
  const row = await table.get(key);
  if (row?.leaseHolder !== undefined) await table.update(key, { remove: ['leaseHolder', 'leaseExpires'] });
}

async function beginAnew(table: Table, state: SubscriptionState): Promise<void> {
  const lost = { queueName: '', queueUrl: '', failure: 'the queue is gone' };
  await updateState(table, state, { ...restarted(state, 'difference'), ...lost });
}

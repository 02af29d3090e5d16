import type { Collection } from '../json/index.ts';
import type { TargetResources } from '../kubernetes/winnow/index.ts';
import { mapBounded } from '../platform/index.ts';
import type { Table } from '../store/index.ts';
import { readStates, restarted, updateState } from './subscription/index.ts';

export interface RestartOptions {
  /** The table. No other process may work on it. */
  readonly table: Table;
  readonly collections: readonly Collection[];
  readonly resources: TargetResources;
  /** The increment of edits and starts. It must exceed every count that the lost table can have reached. */
  readonly raise: number;
  /** The id of the restore. A subscription is restarted once per id. */
  readonly id: string;
}

const AT_ONCE = 4;

/**
 * Restarts every subscription with an ERROR and a snapshot. Nothing records what the lost table's functions sent after
 * the copy was taken. Returns the number of subscriptions.
 */
export async function restartSubscriptions(options: RestartOptions): Promise<number> {
  const { table, resources, raise, id } = options;
  const counts = await mapBounded(options.collections, AT_ONCE, async (collection) => {
    const target = resources.of(collection);
    const states = target === undefined ? [] : await readStates(table, target);
    for (const state of states) {
      if ('restored' in state && state.restored === id) continue;
      const { start, edit } = state;
      await updateState(table, state, {
        ...restarted(state, 'gone'),
        // Consumers drop messages of lower edits, and SQS drops those of starts that it has seen.
        start: start + raise,
        edit: edit + raise,
        failure: 'the table was restored',
        leaseHolder: undefined,
        leaseExpires: undefined,
        restored: id,
      });
    }
    return states.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

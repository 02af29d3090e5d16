import type { Collection } from '../json/index.ts';
import type { TargetResources } from '../kubernetes/winnow/index.ts';
import { mapBounded } from '../platform/index.ts';
import type { Table } from '../store/index.ts';
import { readStates, restarted, updateState } from './subscription/index.ts';

export interface RestartOptions {
  /** Of which nobody else works on. */
  readonly table: Table;
  readonly collections: readonly Collection[];
  readonly resources: TargetResources;
  /** By how much edits and starts are raised: above all that the lost table can have counted. */
  readonly raise: number;
  /** Names the restore: a subscription is restarted once for each. */
  readonly id: string;
}

const AT_ONCE = 4;

/**
 * Has every subscription tell its queue to forget all, and begin with a snapshot: what was told of the lost table after
 * the copy was taken, nobody knows. Answers how many there are.
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
        // Consumers drop messages of lower edits, and SQS those of starts that it has seen.
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

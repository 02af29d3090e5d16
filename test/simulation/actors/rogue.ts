import { BUCKETS, cursorKey, FIRST_VERSION, shardOfCursor } from '../../../lib/store/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Cluster } from './cluster.ts';
import { PODS } from './pods.ts';
import { headOf } from './truth.ts';

/**
 * Runs another dispatcher beside that of the event queue, which SQS would not start. It takes rounds at random times,
 * sometimes as if the subscriptions had changed. Its pauses may be longer than its lease.
 */
export async function dispatchBeside(cluster: Cluster, scenario: Scenario): Promise<void> {
  const { scheduler, chance } = cluster.world;
  while (scheduler.now < scenario.lasts) {
    await scheduler.sleep(chance.within([100, 8_000]));
    const { rows } = cluster.world.table;
    const groups = rows.partition(cursorKey(PODS).pk).filter(({ sk }) => sk.startsWith('cursor'));
    // A random shard, and sometimes one that does not exist.
    const group =
      groups.length < 2 ? 0 : chance.chance(0.1) ? chance.below(BUCKETS) : shardOfCursor(chance.pick(groups));
    const hint = { collection: PODS, group, rv: Math.max(FIRST_VERSION, headOf(cluster.world, PODS)) };
    const isThere = group === 0 || rows.get(cursorKey(PODS, group)) !== undefined;
    if (chance.chance(0.5) && isThere) rows.update(cursorKey(PODS, group), { add: { members: 1 } });
    await cluster.dispatch.invoke(scenario.rogueTimeout, ({ dispatcher }) => dispatcher.dispatch(hint));
  }
}

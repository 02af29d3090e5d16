import { cursorKey, FIRST_VERSION } from '../../../lib/store/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Cluster } from './cluster.ts';
import { PODS } from './pods.ts';
import { headOf } from './truth.ts';

/**
 * Another dispatcher beside the event queue's, which SQS would not start: it takes turns when it likes, at times as
 * if the subscriptions had changed, and a pause of it may be longer than its lease.
 */
export async function dispatchBeside(cluster: Cluster, scenario: Scenario): Promise<void> {
  const { scheduler, chance } = cluster.world;
  while (scheduler.now < scenario.lasts) {
    await scheduler.sleep(chance.within([100, 8_000]));
    const hint = { collection: PODS, rv: Math.max(FIRST_VERSION, headOf(cluster.world, PODS)) };
    if (chance.chance(0.5)) cluster.world.table.rows.update(cursorKey(PODS), { add: { members: 1 } });
    await cluster.dispatch.invoke(scenario.rogueTimeout, ({ dispatcher }) => dispatcher.dispatch(hint));
  }
}

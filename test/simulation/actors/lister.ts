import type { Scenario } from '../scenarios/scenario.ts';
import { pickAsked } from './asked.ts';
import type { Cluster } from './cluster.ts';
import { list } from './listing.ts';

/** Lists again and again: in one page or several, the most recent state or an earlier one. */
export async function keepListing(cluster: Cluster, client: string, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const earlier: number[] = [];
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const at = earlier.length > 0 && chance.chance(0.25) ? chance.pick(earlier) : undefined;
    const limit = chance.chance(0.6) ? 1 + chance.below(4) : undefined;
    const pause = () => chance.within(scenario.pagePause);
    const listed = await list(cluster, { client, asked: pickAsked(chance, scenario), limit, at, pause });
    if (listed.how === 'done') {
      earlier.push(listed.listing.rv);
    } else if (listed.how === 'gone') earlier.length = 0;
  }
}

import { backfillPostings, type CarrierKind } from '../../../lib/controllers/backfills/backfill-postings.ts';
import type { Collection } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { SERVICES } from '../actors/targets.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { carriedOf } from './carrying.ts';

/** Longer than a request that began before the change, in ms, with any difference of clocks. */
const WAIT = TIMING.gateway + 1_000;

/**
 * Runs the backfill of postings again and again, as the schedule does for objects whose writers did not pass their
 * selectors.
 */
export async function goOver({ world, reconcile }: Cluster, scenario: Scenario): Promise<void> {
  const { scheduler, chance } = world;
  while (scheduler.now < scenario.lasts + scenario.calm / 2) {
    await scheduler.sleep(chance.within(scenario.listPause));
    await reconcile.invoke(TIMING.reconcile, ({ table, store, clock, logger }) => {
      const signal = clock.deadline(TIMING.request);
      const outside = { table, clock, logger, hints: { announce: async () => {} }, page: 2 };
      return backfillPostings({ ...outside, store: store.within(signal) }, kindsAt(scheduler.now, scenario));
    });
  }
}

function kindsAt(now: number, { selectsFrom = 0 }: Scenario): ReadonlyMap<Collection, CarrierKind> {
  const selectsOf = async (object: Parameters<CarrierKind['selectsOf']>[0]) => carriedOf(object.body);
  return new Map([[SERVICES, { by: now < selectsFrom ? '' : 'text', wait: WAIT, selectsOf }]]);
}

import type { Logger } from '../../platform/index.ts';
import type { Verbs } from '../http/index.ts';
import { methodNotAllowed } from '../status/index.ts';
import { type KeptWorldOptions, WorldCache, type WorldListener, type WorldSource } from './world-cache.ts';

/** A review asks for the world alone. */
const NOTHING = { tell: () => {} };

export interface PlacingOptions extends Pick<KeptWorldOptions<WorldListener>, 'logger' | 'profile'> {
  readonly logger: Logger;
  /** Where a process takes the world from that starts. */
  readonly source?: WorldSource | undefined;
}

/** What a function does that places pods: it answers PlacementReviews, from a world that it keeps between requests. */
export function createPlacingVerbs({ logger, profile, source }: PlacingOptions): Verbs {
  const kept = new WorldCache({ logger, profile, makeBeside: () => NOTHING });
  return {
    create: async (call) => {
      if (call.route.type.kind !== 'PlacementReview') throw methodNotAllowed();
      // All that decodes and admits a pod, which no start has to wait for.
      const { reviewPlacement } = await import('./review-placement.ts');
      return reviewPlacement(call, (store) => kept.current(store, source));
    },
  };
}

import type { Logger } from '../../platform/index.ts';
import type { Verbs } from '../http/index.ts';
import { methodNotAllowed } from '../status/index.ts';
import { type KeptWorldOptions, WorldCache, type WorldListener, type WorldSource } from './world-cache.ts';

/** The listener of a world that needs none. */
const NOTHING = { tell: () => {} };

export interface PlacingOptions extends Pick<KeptWorldOptions<WorldListener>, 'logger' | 'profile'> {
  readonly logger: Logger;
  /** The source from which a new process reads the world. */
  readonly source?: WorldSource | undefined;
}

/**
 * Creates the verbs of a function that places pods. It serves PlacementReviews from a world that it caches between
 * requests.
 */
export function createPlacingVerbs({ logger, profile, source }: PlacingOptions): Verbs {
  const kept = new WorldCache({ logger, profile, makeBeside: () => NOTHING });
  return {
    create: async (call) => {
      if (call.route.type.kind !== 'PlacementReview') throw methodNotAllowed();
      // Loads the code that decodes and admits a pod, so that no cold start waits for it.
      const { reviewPlacement } = await import('./review-placement.ts');
      return reviewPlacement(call, (store) => kept.current(store, source));
    },
  };
}

import type { Hints, Inbox } from '../../coordination/index.ts';
import type { Clock, Logger, Metrics, Random } from '../../platform/index.ts';
import { objectWriter } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { deliver } from './deliver.ts';
import { listBeats } from './list-beats.ts';
import { beatOf, readCanary, writeBeat } from './object.ts';
import { subscribe } from './subscribe.ts';

export interface CanaryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** To dispatch, of what was written. */
  readonly hints: Pick<Hints, 'announce'>;
  readonly inbox: Inbox;
}

export interface BeatRequest {
  /** When the invocation is over. */
  readonly signal: AbortSignal;
  /** Whether the queues of an earlier run may be gone, as they are where they were kept in memory: nothing is awaited. */
  readonly queuesLost?: boolean;
}

export interface Canary {
  /**
   * Looks whether the message of the beat before came, and begins the next: labels the object anew, and lists it by that
   * label. Measures, and logs each step that fails by its name; never throws.
   */
  beat(request: BeatRequest): Promise<void>;
}

/** The manager in managedFields. */
const MANAGER = 'winnow-canary';

/** In the order in which they are taken. */
type Step = 'read' | 'subscribe' | 'deliver' | 'write' | 'list';

/** Keep one a process: it remembers which message came. */
export function createCanary(options: CanaryOptions): Canary {
  const { clock, random, logger, metrics, hints, inbox } = options;
  let told: string | undefined;
  return {
    beat: async ({ signal, queuesLost = false }) => {
      const store = options.store.within(signal);
      const announce: Hints['announce'] = (collection, rv) => hints.announce(collection, rv, signal);
      const outside = { store, clock, random, announce, manager: MANAGER, deadline: () => signal };
      const writer = objectWriter(outside);
      let failed = 0;
      const take = async <Seen>(step: Step, run: () => Promise<Seen>): Promise<Seen | undefined> => {
        try {
          return await run();
        } catch (error) {
          failed += 1;
          logger.error('the canary failed', { step, error });
          return undefined;
        }
      };
      const read = await take('read', async () => ({ current: await readCanary(store) }));
      // If one row cannot be read, all later steps would fail for the same reason.
      if (read !== undefined) {
        const { current } = read;
        const before = beatOf(current);
        const queueUrl = await take('subscribe', () => subscribe({ store, writer, queuesLost }));
        if (queueUrl !== undefined && before !== undefined && before !== told) {
          await take('deliver', async () => {
            await deliver({ inbox, queueUrl, beat: before, clock, metrics, signal });
            told = before;
          });
        }
        const beat = await take('write', () => writeBeat(writer, { current, now: clock.now() }));
        if (beat !== undefined) await take('list', () => listBeats(store, { beat, before }));
      }
      metrics.record('CanarySuccess', failed === 0 ? 1 : 0);
    },
  };
}

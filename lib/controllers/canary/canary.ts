import type { Hints, Inbox } from '../../coordination/index.ts';
import { CANARY, type Clock, type Logger, type Metrics, type Random } from '../../platform/index.ts';
import { parseSelector } from '../../selectors/index.ts';
import { objectWriter } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { deliver } from './deliver.ts';
import { BEAT, beatOf, readCanary, writeBeat } from './object.ts';
import { subscribe } from './subscribe.ts';

export interface CanaryOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Sends hints about the canary's writes to dispatch. */
  readonly hints: Pick<Hints, 'announce'>;
  readonly inbox: Inbox;
}

export interface BeatRequest {
  /** Aborts when the time of the invocation is over. */
  readonly signal: AbortSignal;
  /** Whether the queues of an earlier run may be gone, because they were in memory. Then no message is awaited. */
  readonly queuesLost?: boolean;
}

export interface Canary {
  /**
   * Checks that the message of the previous beat arrived. Then begins the next beat: labels the object anew, and
   * lists it by that label. Records metrics, and logs each failed step by its name; never throws.
   */
  beat(request: BeatRequest): Promise<void>;
}

/** The manager in managedFields. */
const MANAGER = 'winnow-canary';

/** The steps of a beat, in order. */
type Step = 'read' | 'subscribe' | 'deliver' | 'write' | 'list';

/** Creates a canary. Keep one per process: it remembers which message arrived. */
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

/**
 * Lists by this beat and the previous one. The object must match the new beat, and no longer the previous one.
 *
 * @throws {Error} the list is different.
 */
async function listBeats(
  store: Store,
  { beat, before = beat }: { readonly beat: string; readonly before: string | undefined },
): Promise<void> {
  const { collection, namespace, name } = CANARY;
  const selector = parseSelector(`${BEAT} in (${before}, ${beat})`);
  const { items } = await store.list(collection, { namespace, selector });
  const listed = items.map((item) => `${item.name.name} of ${beatOf(item)}`);
  const due = `${name} of ${beat}`;
  if (listed.length === 1 && listed[0] === due) return;
  throw new Error(`the list is ${listed.join(', ') || 'empty'}, and not ${due}`);
}

import type { Collection } from '../json/index.ts';
import type { Logger, Metrics } from '../platform/index.ts';
import { type Following, isFollowedAlways } from './followed.ts';
import type { HintSample } from './hint-sample.ts';
import { isTooLong } from './hops.ts';
import { type Hint, hintMessage } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { sendAll } from './send.ts';

export interface HintsOptions extends Following {
  readonly queues: Queues;
  /** The URL of the event queue. */
  readonly queueUrl: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** For a writer: which of its commits get a hint; default: all. */
  readonly sample?: HintSample | undefined;
}

export interface Hints {
  /**
   * Sends dispatch a hint about a commit. If there are very many commits, it leaves some to the relay. It never fails
   * the write, nor delays it beyond `signal`: the relay and `tick` send the same hint again.
   *
   * @param isMarked whether the collection is marked as one that a Subscription or a Tally selects; default: true
   */
  announce(collection: Collection, rv: number, signal?: AbortSignal, isMarked?: boolean): Promise<void>;
  /** Sends hints if possible. Never fails: `tick` sends them again. */
  offer(hints: Hint | readonly Hint[], occasion?: string): Promise<void>;
  /** Sends many hints; throws if SQS does not accept one. `occasion` keeps SQS from dropping them as duplicates. */
  send(hints: readonly Hint[], occasion?: string): Promise<void>;
}

export function createHints({
  queues,
  queueUrl,
  logger,
  metrics,
  sample,
  ...following
}: HintsOptions): Hints {
  return {
    send: (hints, occasion) =>
      sendAll(
        queues,
        queueUrl,
        hints.map((hint) => hintMessage(hint, occasion)),
      ),
    offer: async (offered, occasion) => {
      const hints = [offered].flat();
      const [hint] = hints;
      if (hint === undefined) return;
      if (isTooLong(hint.hops ?? 0)) {
        metrics?.record('CutChains', 1);
        logger.warn('a chain of messages was cut; the next tick continues the work', { ...hint });
        return;
      }
      try {
        await sendAll(
          queues,
          queueUrl,
          hints.map((one) => hintMessage(one, occasion)),
        );
      } catch (error) {
        logger.warn('a hint was not sent; the next tick sends it', { ...hint, error });
      }
    },
    announce: async (collection, rv, signal, isMarked = true) => {
      if (!isMarked && !isFollowedAlways(collection, following)) return;
      if (sample?.has(collection, rv) === false) return;
      try {
        await sendAll(queues, queueUrl, [hintMessage({ collection, rv })], signal);
      } catch (error) {
        logger.warn('a hint was not sent; the relay sends it', { collection, rv, error });
      }
    },
  };
}

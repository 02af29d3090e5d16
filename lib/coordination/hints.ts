import type { Collection } from '../json/index.ts';
import type { Logger, Metrics } from '../platform/index.ts';
import type { HintSample } from './hint-sample.ts';
import { isTooLong } from './hops.ts';
import { type Hint, hintMessage } from './internal-messages.ts';
import type { Queues } from './queues.ts';
import { sendAll } from './send.ts';

export interface HintsOptions {
  readonly queues: Queues;
  /** The event queue. */
  readonly queueUrl: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Of a writer: which of its commits it tells; all of them, where nothing is said. */
  readonly sample?: HintSample | undefined;
}

export interface Hints {
  /**
   * Tells dispatch of a commit, or has the relay do so where there are very many. Never fails the write, nor holds it up beyond `signal`: the relay and the
   * schedule put the same hint again.
   */
  announce(collection: Collection, rv: number, signal?: AbortSignal): Promise<void>;
  /** Puts hints, if it can: the schedule puts them again. Never fails. */
  offer(hints: Hint | readonly Hint[], occasion?: string): Promise<void>;
  /** Puts many hints; throws when one is not accepted. `occasion` makes them new to SQS's deduplication. */
  send(hints: readonly Hint[], occasion?: string): Promise<void>;
}

export function createHints({ queues, queueUrl, logger, metrics, sample }: HintsOptions): Hints {
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
        logger.warn('a chain of messages was cut; the schedule goes on', { ...hint });
        return;
      }
      try {
        await sendAll(
          queues,
          queueUrl,
          hints.map((one) => hintMessage(one, occasion)),
        );
      } catch (error) {
        logger.warn('a hint was not sent; the schedule will', { ...hint, error });
      }
    },
    announce: async (collection, rv, signal) => {
      if (sample?.has(collection, rv) === false) return;
      try {
        await sendAll(queues, queueUrl, [hintMessage({ collection, rv })], signal);
      } catch (error) {
        logger.warn('a hint was not sent; the relay will', { collection, rv, error });
      }
    },
  };
}

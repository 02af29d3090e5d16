import type { Sent } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { Clock, Logger, Metrics } from '../../platform/index.ts';
import type { ObjectEvent } from '../../store/index.ts';

export interface DeliveriesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** The results of the sends of one round, for the log and the metrics. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #auditIDs = new Set<string>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Records how many of its events one queue accepted. The lag is that of the oldest event. */
  note(events: readonly ObjectEvent[], { accepted, failure }: Sent): void {
    const { clock, metrics } = this.#options;
    const [oldest] = events;
    if (accepted > 0 && oldest?.time !== undefined) metrics?.record('DispatchLag', clock.now() - oldest.time);
    if (failure !== undefined && failure !== 'late') metrics?.record('FailedSends', 1);
    for (const { auditID } of events.slice(0, accepted)) {
      if (auditID !== undefined) this.#auditIDs.add(auditID);
    }
  }

  /** Logs the audit IDs of the requests whose changes were delivered, so that operators can follow an ID in the log. */
  log(collection: Collection, upTo: number): void {
    if (this.#auditIDs.size === 0) return;
    this.#options.logger.info('delivered changes', { collection, upTo, auditIDs: [...this.#auditIDs] });
  }
}

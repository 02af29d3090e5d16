import type { Sent } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { Clock, Logger, Metrics } from '../../platform/index.ts';
import type { ObjectEvent } from '../../store/index.ts';

export interface DeliveriesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics;
}

/** What the sends of one turn came to, for the log and the metrics. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #auditIDs = new Set<string>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Notes what one queue took of its events. The lag is that of the oldest: the others waited less. */
  note(events: readonly ObjectEvent[], { accepted, failure }: Sent): void {
    const { clock, metrics } = this.#options;
    const [oldest] = events;
    if (accepted > 0 && oldest?.time !== undefined) metrics?.record('DispatchLag', clock.now() - oldest.time);
    if (failure !== undefined && failure !== 'late') metrics?.record('FailedSends', 1);
    for (const { auditID } of events.slice(0, accepted)) {
      if (auditID !== undefined) this.#auditIDs.add(auditID);
    }
  }

  /** Says which requests' changes were delivered, so that an id can be followed through the log. */
  log(collection: Collection, upTo: number): void {
    if (this.#auditIDs.size === 0) return;
    this.#options.logger.info('delivered changes', { collection, upTo, auditIDs: [...this.#auditIDs] });
  }
}

import type { Queues } from '../../lib/coordination/index.ts';
import type { Clock, Logger, Metrics } from '../../lib/platform/index.ts';

/** An `Event` of audit.k8s.io/v1. */
export type KeptEvent = Readonly<Record<string, unknown>>;

export interface AuditQueueOptions {
  readonly url: string;
  /** Called once, before the first event is sent. */
  open(): Promise<Pick<Queues, 'sendBatch'>>;
  readonly clock: Pick<Clock, 'deadline'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The longest wait of a request for the queue, in ms. */
export const PATIENCE = 1_000;
/** The most messages in one call of SQS. */
const BATCH = 10;

/**
 * Sends audit events to a queue, each at most once. It logs which events the queue did not accept; the log holds all
 * events.
 */
export class AuditQueue {
  readonly #options: AuditQueueOptions;
  #queues: Promise<Pick<Queues, 'sendBatch'>> | undefined;
  #waiting: KeptEvent[] = [];

  constructor(options: AuditQueueOptions) {
    this.#options = options;
  }

  readonly keep = (event: KeptEvent): void => {
    this.#waiting.push(event);
  };

  /** Sends the collected events. Never rejects, and waits for one second at most. */
  readonly settle = async (): Promise<void> => {
    const events = this.#waiting;
    this.#waiting = [];
    const batches: Promise<void>[] = [];
    for (let at = 0; at < events.length; at += BATCH) batches.push(this.#send(events.slice(at, at + BATCH)));
    await Promise.all(batches);
  };

  async #send(events: readonly KeptEvent[]): Promise<void> {
    const { url, open, clock } = this.#options;
    try {
      this.#queues ??= open();
      const messages = events.map((event) => ({ body: JSON.stringify(event) }));
      const refused = await (await this.#queues).sendBatch(url, messages, clock.deadline(PATIENCE));
      if (refused.length > 0) this.#tell(events.filter((_, index) => refused.includes(index)));
    } catch (error) {
      this.#tell(events, error);
    }
  }

  #tell(unsent: readonly KeptEvent[], error?: unknown): void {
    const { logger, metrics } = this.#options;
    const events = unsent.map(({ auditID, stage }) => ({ auditID, stage }));
    logger.error('audit events were not sent to their queue', { error, events });
    metrics.record('UnsentAuditEvents', unsent.length);
  }
}

/** Creates the queue over SQS. The first event loads the SQS client. */
export function openAuditQueue(options: Omit<AuditQueueOptions, 'open'>): AuditQueue {
  const open = async () => (await import('../../lib/coordination/sqs/index.ts')).createSqsQueues();
  return new AuditQueue({ ...options, open });
}

import { type Clock, type Logger, mapBounded } from '../../platform/index.ts';
import { nameKey, type Table } from '../../store/index.ts';
import type { Queues } from '../queues.ts';
import { sendInOrder } from '../send.ts';
import type { WorkRequest } from './derivation.ts';
import { owedMessage } from './due-message.ts';
import { raiseWanted } from './work-items.ts';

export interface OweOptions {
  readonly table: Table;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The URL of the derive queue. */
  readonly queueUrl: string;
}

const AT_ONCE = 16;
/** The most messages to send at once. `tick` sends the other messages, thousands a minute. */
const MOST_TOLD = 1_000;

/**
 * Writes a work item for each subject, and then sends messages that wake the deriver. All rows are written when it
 * resolves. `tick` sends the messages that failed.
 */
export async function enqueue(options: OweOptions, all: readonly WorkRequest[]): Promise<void> {
  const { table, queues, clock, logger, queueUrl } = options;
  const newest = newestOf(all);
  await mapBounded(newest, AT_ONCE, (owed) => raiseWanted(table, owed, clock.now()));
  const told = newest.slice(0, MOST_TOLD).map(owedMessage);
  const { accepted, failure, message } = await sendInOrder(queues, queueUrl, told);
  if (failure === undefined) return;
  const unsent = told.length - accepted;
  logger.warn('a message about due work was not sent; the next tick sends it', {
    unsent,
    failure,
    why: message,
  });
}

/** Keeps the newest version of each subject and collection. */
function newestOf(all: readonly WorkRequest[]): readonly WorkRequest[] {
  const newest = new Map<string, WorkRequest>();
  for (const owed of all) {
    const { subject, collection, rv } = owed;
    const id = `${collection} ${subject.collection}#${nameKey(subject.name)}`;
    if (rv > (newest.get(id)?.rv ?? 0)) newest.set(id, owed);
  }
  return [...newest.values()];
}

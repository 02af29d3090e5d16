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
  /** Of the derive queue. */
  readonly queueUrl: string;
}

const AT_ONCE = 16;
/** Messages that are sent at once; the others the schedule sends, thousands a minute. */
const MOST_TOLD = 1_000;

/**
 * Makes subjects due: their rows, all of them when it resolves, and then messages that wake who derives. What is not
 * sent the schedule sends.
 */
export async function enqueue(options: OweOptions, all: readonly WorkRequest[]): Promise<void> {
  const { table, queues, clock, logger, queueUrl } = options;
  const newest = newestOf(all);
  await mapBounded(newest, AT_ONCE, (owed) => raiseWanted(table, owed, clock.now()));
  const told = newest.slice(0, MOST_TOLD).map(owedMessage);
  const { accepted, failure, message } = await sendInOrder(queues, queueUrl, told);
  if (failure === undefined) return;
  const unsent = told.length - accepted;
  logger.warn('what is due was not told; the schedule will', { unsent, failure, why: message });
}

/** Of each subject and collection the newest version. */
function newestOf(all: readonly WorkRequest[]): readonly WorkRequest[] {
  const newest = new Map<string, WorkRequest>();
  for (const owed of all) {
    const { subject, collection, rv } = owed;
    const id = `${collection} ${subject.collection}#${nameKey(subject.name)}`;
    if (rv > (newest.get(id)?.rv ?? 0)) newest.set(id, owed);
  }
  return [...newest.values()];
}

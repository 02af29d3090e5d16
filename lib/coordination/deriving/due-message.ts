import { nameKey } from '../../store/index.ts';
import { idOf } from '../internal-messages.ts';
import type { QueueMessage } from '../queues.ts';
import type { WorkKey, WorkRequest } from './derivation.ts';

/** A message of the derive queue. It names the subject of the work item to process. */
export interface DueMessage extends WorkKey {
  /** The earliest time to process it, in ms since the epoch. */
  readonly at?: number;
}

/**
 * The message for the time at which time alone changes the derived data. It has its own message group, so that other
 * messages do not wait for it.
 */
export function timedMessage({ collection, name }: WorkKey, at: number): QueueMessage {
  const { group } = dueMessage({ collection, name }, '');
  return {
    body: JSON.stringify({ collection, name, at }),
    group: idOf(`${group}/time`),
    deduplication: idOf(`${group}/time/${at}`),
  };
}

/**
 * The message for a subject, in one message group per subject. `occasion` keeps SQS from dropping it as a duplicate.
 */
export function dueMessage({ collection, name }: WorkKey, occasion: string): QueueMessage {
  const group = idOf(`${collection}#${nameKey(name)}`);
  return { body: JSON.stringify({ collection, name }), group, deduplication: idOf(`${group}/${occasion}`) };
}

/**
 * The message for a work request. Its deduplication id contains the wanted version, so all senders send the same
 * message.
 */
export function owedMessage({ subject, collection, rv }: WorkRequest): QueueMessage {
  return dueMessage(subject, `${collection}/${rv}`);
}

import { nameKey } from '../../store/index.ts';
import { idOf } from '../internal-messages.ts';
import type { QueueMessage } from '../queues.ts';
import type { WorkKey, WorkRequest } from './derivation.ts';

/** What the derive queue carries: whose row is to be looked at. */
export interface DueMessage extends WorkKey {
  /** Not before then, in ms since the epoch. */
  readonly at?: number;
}

/** For the moment at which time alone makes another of what is derived: apart from the others, which do not wait for it. */
export function timedMessage({ collection, name }: WorkKey, at: number): QueueMessage {
  const { group } = dueMessage({ collection, name }, '');
  return {
    body: JSON.stringify({ collection, name, at }),
    group: idOf(`${group}/time`),
    deduplication: idOf(`${group}/time/${at}`),
  };
}

/** One message group a subject. `occasion` tells apart messages that must not be swallowed. */
export function dueMessage({ collection, name }: WorkKey, occasion: string): QueueMessage {
  const group = idOf(`${collection}#${nameKey(name)}`);
  return { body: JSON.stringify({ collection, name }), group, deduplication: idOf(`${group}/${occasion}`) };
}

/** Named after the wanted version, so that all senders send the same message. */
export function owedMessage({ subject, collection, rv }: WorkRequest): QueueMessage {
  return dueMessage(subject, `${collection}/${rv}`);
}

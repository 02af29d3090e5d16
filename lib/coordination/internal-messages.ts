import { createHash } from 'node:crypto';
import type { Collection, ObjectName } from '../json/index.ts';
import type { DispatchShard } from './cursor.ts';
import type { QueueMessage } from './queues.ts';

/**
 * A hint on the event queue: the collection's journal has reached `rv`, or with 0 only that who is to be sent its
 * changes has changed.
 */
export interface Hint {
  readonly collection: Collection;
  /** Whose turn it is, by its first place; 0, which tells the others, where nothing is said. */
  readonly group?: number | undefined;
  readonly rv: number;
  /** How many messages led to this one, each sent by the function that had the one before. */
  readonly hops?: number;
}

/** What the reconcile queue carries. */
export type ReconcileMessage = Work & Pick<Hint, 'hops'>;

type Work =
  | {
      readonly kind: 'subscription';
      readonly name: ObjectName;
      readonly uid: string;
      /** The collection that the subscription selects from. */
      readonly collection: Collection;
      /** Dispatch has just admitted it: its status is to be written, and nothing else. */
      readonly isAdmitted?: boolean;
    }
  | {
      readonly kind: 'tally';
      readonly name: ObjectName;
      readonly uid: string;
      /** The collection that the Tally counts in. */
      readonly collection: Collection;
      /** Groups that were too many are to be counted again. */
      readonly isAnew?: boolean;
    }
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'definition'; readonly name: string }
  /** Which namespaces there are, or their labels, changed at this resourceVersion of theirs. */
  | { readonly kind: 'labels'; readonly rv: number }
  /** Looks of this shard are due. */
  | { readonly kind: 'collect'; readonly shard: number };

/**
 * A hint's message. Its deduplication id says what it hints at, so that the writer's and the relay's are one;
 * `occasion` tells apart those that must not be swallowed (the schedule's, admissions).
 */
export function hintMessage(hint: Hint, occasion?: string): QueueMessage {
  const id = idOf(shardName(hint));
  return {
    body: JSON.stringify({ ...hint, group: hint.group || undefined }),
    group: id,
    deduplication: occasion === undefined ? `${id}/${hint.rv}` : `${id}/${hint.rv}/${occasion}`,
  };
}

/** One group a subscription, namespace, definition or shard, and one for all labels of namespaces, so that each is reconciled by one function at a time. */
export function reconcileMessage(message: ReconcileMessage, occasion: string): QueueMessage {
  const group = groupOf(message);
  return { body: JSON.stringify(message), group, deduplication: `${group}/${occasion}` };
}

function groupOf(message: ReconcileMessage): string {
  switch (message.kind) {
    case 'subscription':
    case 'tally':
      return message.uid;
    case 'namespace':
    case 'definition':
      return idOf(`${message.kind}/${message.name}`);
    case 'labels':
      return message.kind;
    case 'collect':
      return `collect/${message.shard}`;
    default:
      return message satisfies never;
  }
}

/** What a group of subscriptions is called in ids and in memory; the first one has the collection's own name. */
export function shardName({ collection, group = 0 }: DispatchShard): string {
  return group === 0 ? collection : `${collection}#${group}`;
}

/** SQS takes 128 characters in an id; a long name is hashed. */
export function idOf(name: string): string {
  return name.length <= 64 ? name : createHash('sha256').update(name).digest('hex');
}

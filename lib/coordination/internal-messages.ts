import { createHash } from 'node:crypto';
import type { Collection, ObjectName } from '../json/index.ts';
import type { DispatchShard } from './cursor.ts';
import type { QueueMessage } from './queues.ts';

/**
 * A hint on the event queue: the collection's journal has reached `rv`. If `rv` is 0, only subscription states have
 * changed.
 */
export interface Hint {
  readonly collection: Collection;
  /** The first bucket of the shard that the hint is for; default: 0. Shard 0 sends hints to the others. */
  readonly group?: number | undefined;
  readonly rv: number;
  /** The number of messages that led to this one. Each was sent by the function that received the message before it. */
  readonly hops?: number;
}

/** A message of the reconcile queue. */
export type ReconcileMessage = Work & Pick<Hint, 'hops'>;

type Work =
  | {
      readonly kind: 'subscription';
      readonly name: ObjectName;
      readonly uid: string;
      /** The collection that the subscription selects from. */
      readonly collection: Collection;
      /** Dispatch has just activated it. Reconcile only has to write its status. */
      readonly isAdmitted?: boolean;
    }
  | {
      readonly kind: 'tally';
      readonly name: ObjectName;
      readonly uid: string;
      /** The collection that the Tally counts in. */
      readonly collection: Collection;
      /** Whether to count the Tally again, because it had too many groups. */
      readonly isAnew?: boolean;
    }
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'definition'; readonly name: string }
  /** The set of namespaces, or their labels, changed at this resourceVersion of the namespaces. */
  | { readonly kind: 'labels'; readonly rv: number }
  /** GC tasks of this shard are due. */
  | { readonly kind: 'collect'; readonly shard: number };

/**
 * The message for a hint. Its deduplication id contains the hint, so that the writer's and the relay's message are one.
 * `occasion` keeps SQS from dropping a message as a duplicate, as for those of the schedule and activations.
 */
export function hintMessage(hint: Hint, occasion?: string): QueueMessage {
  const id = idOf(shardName(hint));
  return {
    body: JSON.stringify({ ...hint, group: hint.group || undefined }),
    group: id,
    deduplication: occasion === undefined ? `${id}/${hint.rv}` : `${id}/${hint.rv}/${occasion}`,
  };
}

/**
 * The message for a reconcile request. Each subscription, Tally, namespace, definition and shard has a message group,
 * and all labels of namespaces share one. So one function at a time reconciles each of them.
 */
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

/** The name of a dispatch shard in ids and in memory. The first shard has the collection's own name. */
export function shardName({ collection, group = 0 }: DispatchShard): string {
  return group === 0 ? collection : `${collection}#${group}`;
}

/** Shortens a name to an id, because SQS accepts 128 characters. A long name is hashed. */
export function idOf(name: string): string {
  return name.length <= 64 ? name : createHash('sha256').update(name).digest('hex');
}

import type { Delivery } from './delivery.ts';
import { type KubernetesObject, keyOf } from './kubernetes-object.ts';
import { isFifo } from './queue.ts';
import type { Version } from './version.ts';

/** What a message says. */
export type Message = ChangeMessage | SnapshotEnd | StartOver | Silence;

/** Where a message belongs. */
export interface Origin {
  readonly id: string;
  readonly queue: string;
  /** The edit of the Subscription that it was sent for; 0 where an older deployment does not say. */
  readonly edit: number;
  /** Whether all messages of the queue come in the order in which they were sent. */
  readonly isOrdered: boolean;
}

/** An object entered the set, changed in it or left it. */
export interface ChangeMessage extends Origin {
  readonly kind: 'change';
  readonly key: string;
  readonly version: Version;
  /** The object; of one that left, its last state in the set. */
  readonly object: KubernetesObject;
  readonly isGone: boolean;
  readonly proof?: Proof;
}

/** What a Subscription with `verify: true` says of the set after a change. */
export interface Proof {
  /** One higher than that of the change before. */
  readonly sequence: number;
  /** How many objects, and {@link digestOf} over them. */
  readonly set: string | undefined;
}

/** The bookmark behind the last object of a snapshot. */
export interface SnapshotEnd extends Origin {
  readonly kind: 'snapshot-end';
}

/** ERROR: forget what is known of lower edits, a fresh snapshot follows. */
export interface StartOver extends Origin {
  readonly kind: 'start-over';
}

/** A bookmark that ends nothing, or the token by which the owner of a queue proves that it is theirs. */
export interface Silence extends Origin {
  readonly kind: 'silence';
}

/** A message that no Subscription sends. */
export class UnreadableMessageError extends Error {
  override name = 'UnreadableMessageError';
  readonly delivery: Delivery;

  constructor(delivery: Delivery, why: string) {
    super(`message ${delivery.id} of ${delivery.queue || 'a queue'} is no event: ${why}`);
    this.delivery = delivery;
  }
}

const INTEGER = /^[0-9]+$/;

/**
 * Reads a message: a Kubernetes watch event, with what the Subscription says of it as attributes.
 *
 * @throws {UnreadableMessageError}
 */
export function readMessage(delivery: Delivery): Message {
  const { type, object } = parse(delivery);
  const { id, queue, attributes } = delivery;
  const isOrdered = isFifo(queue) && attributes.ordering !== 'Object';
  const origin = { id, queue, edit: integerOf(attributes.edit) ?? 0, isOrdered };
  if (type === 'ERROR') return { ...origin, kind: 'start-over' };
  if (type === 'TOKEN') return { ...origin, kind: 'silence' };
  const { name, resourceVersion = '', annotations } = object.metadata ?? {};
  if (type === 'BOOKMARK') {
    const ends = annotations?.['k8s.io/initial-events-end'] !== undefined;
    return { ...origin, kind: ends ? 'snapshot-end' : 'silence' };
  }
  if (!['ADDED', 'MODIFIED', 'DELETED'].includes(type)) {
    throw new UnreadableMessageError(delivery, `its type is ${type}`);
  }
  if (typeof name !== 'string' || !INTEGER.test(resourceVersion)) {
    throw new UnreadableMessageError(delivery, 'its object has no name or no resourceVersion');
  }
  const proof = proofOf(attributes);
  return {
    ...origin,
    kind: 'change',
    key: keyOf(object),
    version: { edit: origin.edit, rv: resourceVersion },
    object,
    isGone: type === 'DELETED',
    ...(proof && { proof }),
  };
}

function parse(delivery: Delivery): { readonly type: string; readonly object: KubernetesObject } {
  let event: unknown;
  try {
    event = JSON.parse(delivery.body);
  } catch {
    throw new UnreadableMessageError(delivery, 'its body is not JSON');
  }
  const { type, object } = (event ?? {}) as { type?: unknown; object?: unknown };
  if (typeof type !== 'string' || typeof object !== 'object' || object === null) {
    throw new UnreadableMessageError(delivery, 'its body has no type or no object');
  }
  return { type, object: object as KubernetesObject };
}

function integerOf(text: string | undefined): number | undefined {
  return text !== undefined && INTEGER.test(text) ? Number(text) : undefined;
}

function proofOf({ sequence, set }: Delivery['attributes']): Proof | undefined {
  const number = integerOf(sequence);
  return number === undefined ? undefined : { sequence: number, set };
}

import type { Delivery } from './delivery.ts';
import { type KubernetesObject, keyOf } from './kubernetes-object.ts';
import { isFifo } from './queue.ts';
import type { Version } from './version.ts';

/** A parsed message. */
export type Message = ChangeMessage | SnapshotEnd | StartOver | Silence;

/** The origin of a message. */
export interface Origin {
  readonly id: string;
  readonly queue: string;
  /** The edit of the Subscription for which the message was sent; 0 if an older deployment does not send it. */
  readonly edit: number;
  /** Whether all messages of the queue arrive in the order in which they were sent. */
  readonly isOrdered: boolean;
}

/** An object entered the set, changed in it or left it. */
export interface ChangeMessage extends Origin {
  readonly kind: 'change';
  readonly key: string;
  readonly version: Version;
  /** The object. If it left the set, its last state in the set. */
  readonly object: KubernetesObject;
  readonly isGone: boolean;
  /**
   * Why the object has less than the Subscription requests: it does not fit a message. It is then a
   * `PartialObjectMetadata`, or has its name and version only. Absent if nothing is omitted.
   */
  readonly omitted?: string;
  readonly proof?: Proof;
}

/** The proof that a Subscription with `verify: true` sends with a change: the state of the set after the change. */
export interface Proof {
  /** The sequence number: one higher than that of the previous change. */
  readonly sequence: number;
  /** The count of objects and the sum of {@link digestOf} over them, as `<count>/<hex>`. */
  readonly set: string | undefined;
}

/** The bookmark after the last object of a snapshot. */
export interface SnapshotEnd extends Origin {
  readonly kind: 'snapshot-end';
}

/** An ERROR: the consumer must discard the state of lower edits, and a new snapshot follows. */
export interface StartOver extends Origin {
  readonly kind: 'start-over';
}

/** A message without a change: a bookmark that ends no snapshot, or the token that proves the ownership of a queue. */
export interface Silence extends Origin {
  readonly kind: 'silence';
}

/** A message that is not from a Subscription. */
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
 * Parses a message: a Kubernetes watch event, with the Subscription's facts in message attributes.
 *
 * @throws {UnreadableMessageError}
 */
export function readMessage(delivery: Delivery): Message {
  const { type, object, omitted } = parse(delivery);
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
    ...(typeof omitted === 'string' && { omitted }),
    ...(proof && { proof }),
  };
}

interface Parsed {
  readonly type: string;
  readonly object: KubernetesObject;
  readonly omitted: unknown;
}

function parse(delivery: Delivery): Parsed {
  let event: unknown;
  try {
    event = JSON.parse(delivery.body);
  } catch {
    throw new UnreadableMessageError(delivery, 'its body is not JSON');
  }
  const { type, object, omitted } = (event ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof object !== 'object' || object === null) {
    throw new UnreadableMessageError(delivery, 'its body has no type or no object');
  }
  return { type, object: object as KubernetesObject, omitted };
}

function integerOf(text: string | undefined): number | undefined {
  return text !== undefined && INTEGER.test(text) ? Number(text) : undefined;
}

function proofOf({ sequence, set }: Delivery['attributes']): Proof | undefined {
  const number = integerOf(sequence);
  return number === undefined ? undefined : { sequence: number, set };
}

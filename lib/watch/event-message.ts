import { type JsonObject, metadataOf, type ObjectState, toObject } from '../store/index.ts';
import type { QueueMessage } from './queues.ts';
import type { SubscriptionState } from './subscription-state.ts';
import type { ObjectEvent } from './transition.ts';

/**
 * One event for a subscriber: a Kubernetes watch event as the body, and what consumers route by as attributes.
 * The deduplication id is `<uid>/<start>/<attempt>/<rv>`: a restart or a rewind sends the same event anew. `auditID`
 * is the request that made the change; what a snapshot says was made by no one request.
 */
export function eventMessage(subscription: SubscriptionState, event: ObjectEvent): QueueMessage {
  const { name, rv } = event.object;
  return message(subscription, String(rv), {
    text: textOf(event, subscription.payload),
    attributes: {
      ...(name.namespace === '' ? {} : { namespace: name.namespace }),
      name: name.name,
      resourceVersion: String(rv),
      ...(event.auditID === undefined ? {} : { auditID: event.auditID }),
    },
  });
}

/** Behind the last object of a snapshot: from here on events are live. */
export function bookmarkMessage(subscription: SubscriptionState, rv: number): QueueMessage {
  const { apiVersion, kind } = subscription;
  const metadata = { resourceVersion: String(rv), annotations: { 'k8s.io/initial-events-end': 'true' } };
  return message(subscription, 'bookmark', {
    text: textFor({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } }),
    attributes: { resourceVersion: String(rv) },
  });
}

/** The subscriber has to forget what it knows: a fresh snapshot follows. */
export function goneMessage(subscription: SubscriptionState, why: string): QueueMessage {
  const object = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 410,
    reason: 'Expired',
    message: `${why}; a fresh snapshot follows`,
  };
  return message(subscription, 'gone', { text: textFor({ type: 'ERROR', object }), attributes: {} });
}

/** What JSON leaves as it is and SQS refuses; of surrogate pairs, which it takes, emulators refuse the halves. */
const REFUSED = /[\uD800-\uDFFF\uFFFE\uFFFF]/g;

/** What subscribers are sent of an event, by payload: written once, however many they are. */
const texts = new WeakMap<ObjectEvent, Map<Payload, string>>();

type Payload = SubscriptionState['payload'];

function textOf(event: ObjectEvent, payload: Payload): string {
  const written = texts.get(event) ?? new Map<Payload, string>();
  texts.set(event, written);
  const text =
    written.get(payload) ?? textFor({ type: event.type, object: payloadOf(event.object, payload) });
  written.set(payload, text);
  return text;
}

function payloadOf(state: ObjectState, payload: Payload): JsonObject {
  const object = toObject(state);
  if (payload === 'Object') return object;
  const metadata = metadataOf(object);
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}

function textFor(body: JsonObject): string {
  return JSON.stringify(body).replaceAll(REFUSED, escaped);
}

interface Content {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function message(subscription: SubscriptionState, id: string, { text, attributes }: Content): QueueMessage {
  const { uid, start, attempt, fifo, name, collection } = subscription;
  return {
    body: text,
    attributes: { subscription: `${name.namespace}/${name.name}`, resource: collection, ...attributes },
    ...(fifo ? { group: uid, deduplication: `${uid}/${start}/${attempt}/${id}` } : {}),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

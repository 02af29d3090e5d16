import { createHash } from 'node:crypto';
import type { QueueMessage } from '../coordination/index.ts';
import { type JsonObject, metadataOf, type ObjectName, objectAt } from '../json/index.ts';
import type { ObjectEvent } from '../store/index.ts';
import { nameKey, type ObjectState, toObject } from '../store/index.ts';
import { messageGroup, type SubscriptionState } from './subscription/index.ts';

/**
 * One change for a subscriber: a Kubernetes watch event as the body, and what consumers route by as attributes, of
 * which SQS takes ten: with `ordering`, or with `sequence` and `set`, which never come together, these are all. The
 * deduplication id is `<uid>/<start>/<attempt>/<rv>`: a restart or a rewind sends the same event anew. `auditID` is
 * the request that made the change, `user` the name of its caller.
 */
export function eventMessage(subscription: SubscriptionState, event: ObjectEvent): QueueMessage {
  return objectMessage(subscription, event, String(event.object.rv));
}

/**
 * What an edit is for one object, at a position: ADDED of what enters, DELETED of what leaves, stamped with the
 * position. Many share a position, so the id ends with a hash of the name: `<edit>.<position>.<hash>`. What an edit
 * says was made by no one request.
 */
export function editMessage(
  subscription: SubscriptionState,
  event: ObjectEvent,
  position: number,
): QueueMessage {
  const name = createHash('sha256').update(nameKey(event.object.name)).digest('hex').slice(0, 16);
  return objectMessage(subscription, event, `${subscription.edit}.${position}.${name}`);
}

/**
 * Behind the last object of an edit: everything up to `rv` was told, under what the Subscription asks for in its
 * `generation`. A snapshot's, which is an edit from nothing, says so as a watch does.
 */
export function bookmarkMessage(subscription: SubscriptionState, rv: number): QueueMessage {
  const { apiVersion, kind, generation, edit, from } = subscription;
  const isSnapshot: JsonObject = from === '' ? { 'k8s.io/initial-events-end': 'true' } : {};
  const annotations = { ...isSnapshot, 'winnow.dev/generation': String(generation) };
  const metadata = { resourceVersion: String(rv), annotations };
  return message(subscription, `bookmark.${edit}`, {
    text: textFor({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } }),
    attributes: { resourceVersion: String(rv) },
  });
}

/** To a queue of somebody's own, before anything else: the token that has to come back as `spec.queue.token`. */
export function tokenMessage(subscription: SubscriptionState): QueueMessage {
  const { name, token, generation } = subscription;
  const object = {
    apiVersion: 'winnow.dev/v1',
    kind: 'QueueProof',
    metadata: { namespace: name.namespace, name: name.name },
    token,
  };
  const text = textFor({ type: 'TOKEN', object });
  return message(subscription, `token.${generation}`, { text, attributes: {} });
}

/** The subscriber has to forget what it knows of lower edits: a fresh snapshot follows. */
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

function objectMessage(subscription: SubscriptionState, event: ObjectEvent, id: string): QueueMessage {
  const { name, rv } = event.object;
  return message(subscription, id, {
    text: textOf(event, subscription.payload),
    object: name,
    attributes: {
      ...(name.namespace === '' ? {} : { namespace: name.namespace }),
      name: name.name,
      resourceVersion: String(rv),
      ...(event.auditID === undefined ? {} : { auditID: event.auditID }),
      ...(event.user === undefined ? {} : { user: event.user.replaceAll(REFUSED_AS_ATTRIBUTE, '\uFFFD') }),
    },
  });
}

/** What JSON leaves as it is and SQS refuses; of surrogate pairs, which it takes, emulators refuse the halves. */
const REFUSED = /[\uD800-\uDFFF\uFFFE\uFFFF]/g;

/** What SQS refuses in an attribute, whose text is not JSON: what XML cannot say. */
const REFUSED_AS_ATTRIBUTE = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

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
  if (payload === 'Reference') return referenceTo(object);
  const metadata = metadataOf(object);
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}

function referenceTo({ apiVersion = null, kind = null, metadata }: JsonObject): JsonObject {
  const { namespace, name = null, uid = null, resourceVersion = null } = objectAt(metadata);
  const place: JsonObject = namespace === undefined ? {} : { namespace };
  return { apiVersion, kind, metadata: { ...place, name, uid, resourceVersion } };
}

function textFor(body: JsonObject): string {
  return JSON.stringify(body).replaceAll(REFUSED, escaped);
}

interface Content {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Whose change it is, where it is that of one. */
  readonly object?: ObjectName;
}

function message(
  subscription: SubscriptionState,
  id: string,
  { text, attributes, object }: Content,
): QueueMessage {
  const { uid, start, attempt, edit, fifo, name, collection } = subscription;
  const common = { subscription: `${name.namespace}/${name.name}`, resource: collection, edit: String(edit) };
  return {
    body: text,
    attributes: { ...common, ...(subscription.byObject ? { ordering: 'Object' } : {}), ...attributes },
    ...(fifo
      ? { group: messageGroup(subscription, object), deduplication: `${uid}/${start}/${attempt}/${id}` }
      : {}),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

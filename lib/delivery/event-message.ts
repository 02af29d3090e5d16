import { createHash } from 'node:crypto';
import type { QueueMessage } from '../coordination/index.ts';
import { type JsonObject, metadataOf, type ObjectName, objectAt } from '../json/index.ts';
import type { ObjectEvent } from '../store/index.ts';
import { nameKey, type ObjectState, toObject } from '../store/index.ts';
import { messageGroup, type SubscriptionState } from './subscription/index.ts';

/**
 * The message for one change. Its body is a Kubernetes watch event. Its attributes are what consumers route by. SQS
 * accepts ten attributes. With `ordering`, or with `sequence` and `set`, which exclude `ordering`, all ten are in use.
 *
 * The deduplication id is `<uid>/<start>/<attempt>/<rv>`, so a restart or a rewind sends the same event again.
 * `auditID` is the request that made the change, `user` the name of its caller.
 */
export function eventMessage(subscription: SubscriptionState, event: ObjectEvent): QueueMessage {
  return objectMessage(subscription, event, String(event.object.rv));
}

/**
 * The message of an edit for one object: ADDED if the object enters, DELETED if it leaves. It carries the position of
 * the edit. Many objects share a position, so the id ends with a hash of the name: `<edit>.<position>.<hash>`. It has
 * no audit ID, because no single request caused it.
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
 * The BOOKMARK after the last object of an edit. Everything up to `rv` was delivered, as the Subscription's
 * `generation` requests. A snapshot is an edit from nothing. Its bookmark has the annotation that ends the initial
 * events of a watch.
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

/** The first message to a user-owned queue: the token that the user has to return as `spec.queue.token`. */
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

/** The ERROR message: the consumer must forget what it knows from lower edits, because a new snapshot follows. */
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

/**
 * The characters that JSON leaves unescaped and SQS refuses. SQS accepts surrogate pairs, but emulators refuse each
 * half.
 */
const REFUSED = /[\uD800-\uDFFF\uFFFE\uFFFF]/g;

/** The characters that SQS refuses in an attribute, which is not JSON: those that XML does not allow. */
const REFUSED_AS_ATTRIBUTE = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The text of each event, by payload. Each event is serialized once for all subscriptions. */
const texts = new WeakMap<ObjectEvent, Map<Payload, string>>();

type Payload = SubscriptionState['payload'];

/** The most bytes of a message's body: SQS accepts 1 MiB with the attributes. */
const MOST_BYTES = 1_000_000;

/** The payloads, from the largest to the smallest. */
const PAYLOADS: readonly Payload[] = ['Object', 'Metadata', 'Reference'];

function textOf(event: ObjectEvent, payload: Payload): string {
  const written = texts.get(event) ?? new Map<Payload, string>();
  texts.set(event, written);
  const text = written.get(payload) ?? fittingText(event, payload);
  written.set(payload, text);
  return text;
}

/** The event with the payload, or with the largest one that fits a message. The field `omitted` then says why. */
function fittingText({ type, object }: ObjectEvent, payload: Payload): string {
  const whole = textFor({ type, object: payloadOf(object, payload) });
  const bytes = Buffer.byteLength(whole);
  if (bytes <= MOST_BYTES) return whole;
  const omitted = `the object takes ${bytes} bytes, and a message ${MOST_BYTES}: read the object from the API`;
  const smaller = PAYLOADS.slice(PAYLOADS.indexOf(payload) + 1).map((less) =>
    textFor({ type, object: payloadOf(object, less), omitted }),
  );
  return smaller.find((text) => Buffer.byteLength(text) <= MOST_BYTES) ?? whole;
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
  /** The object, if the message concerns a single one. */
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

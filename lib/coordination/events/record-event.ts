import { type JsonObject, metadataOf, type ObjectName } from '../../json/index.ts';
import {
  COMPONENTS,
  EVENTS,
  type EventRecord,
  eventName,
  eventOf,
  expiryOfEvent,
  NAMESPACES,
} from '../../kubernetes/lifecycle/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { isTerminating } from '../is-terminating.ts';
import { timestamp } from '../timestamp.ts';

/** The longest message that Kubernetes accepts, in characters. */
const LONGEST_MESSAGE = 1024;

export interface RaiseOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The component that reports the Event; default: the component for subscriptions. */
  readonly component?: (typeof COMPONENTS)[keyof typeof COMPONENTS];
}

/** The object that an Event is about. */
export interface About {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: ObjectName;
  readonly uid: string;
}

/**
 * Records what happened to an object as an Event in its namespace. There is one Event for each object and reason.
 * Another occurrence raises its count and replaces its message. So there are at most as many Events as reasons. An
 * Event expires an hour after its last occurrence.
 */
export async function recordEvent(
  options: RaiseOptions,
  about: About,
  happening: EventRecord,
): Promise<void> {
  const { namespace } = about.name;
  const name = eventName(about.name.name, about.uid, happening.reason);
  await options.store.write(EVENTS, { namespace, name }, async (current) => {
    if (current === undefined && !(await takesObjects(options.store, namespace))) return { kind: 'none' };
    const metadata = { name, namespace, uid: options.random.uuid() };
    const body = current
      ? toldAgain(options, current, happening)
      : firstTold(options, about, happening, metadata);
    const expires = expiryOfEvent(body);
    return { kind: 'put', body, ...(expires === undefined ? {} : { expires }) };
  });
}

/** Whether a namespace accepts new objects. A terminating namespace does not accept them. */
export async function takesObjects(store: Store, namespace: string): Promise<boolean> {
  const home = await store.get(NAMESPACES, { namespace: '', name: namespace });
  return home !== undefined && !isTerminating(home);
}

function firstTold(
  { clock, component = COMPONENTS.subscriptions }: RaiseOptions,
  { apiVersion, kind, name, uid }: About,
  happening: EventRecord,
  metadata: JsonObject,
): JsonObject {
  const about = { kind, ...name, uid, apiVersion };
  const message = happening.message.slice(0, LONGEST_MESSAGE);
  return eventOf({
    ...happening,
    message,
    metadata,
    about,
    component,
    now: timestamp(clock.now()),
  });
}

function toldAgain({ clock }: RaiseOptions, { body }: ObjectState, happening: EventRecord): JsonObject {
  return {
    ...body,
    metadata: metadataOf(body),
    type: happening.type,
    message: happening.message.slice(0, LONGEST_MESSAGE),
    lastTimestamp: timestamp(clock.now()),
    count: Number(body.count ?? 1) + 1,
  };
}

import type { JsonObject, ObjectName } from '../../json/index.ts';

/** The type, reason and message of an Event about an object, for people. */
export interface EventRecord {
  readonly type: 'Normal' | 'Warning';
  /** The reason in one word. */
  readonly reason: string;
  readonly message: string;
}

export interface EventGiven extends EventRecord {
  /** The Event's own name, uid and namespace. */
  readonly metadata: JsonObject;
  /** The controller that reports the Event. */
  readonly component: string;
  /** The object that the Event is about. */
  readonly about: ObjectName & {
    readonly apiVersion: string;
    readonly kind: string;
    readonly uid: string;
  };
  /** The current time, in Kubernetes' format. */
  readonly now: string;
}

/** Returns a core/v1 Event that is reported for the first time, as kube-controller-manager's recorder writes it. */
export function eventOf({ metadata, component, about, now, type, reason, message }: EventGiven): JsonObject {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { ...metadata, creationTimestamp: now },
    involvedObject: { ...about },
    reason,
    message,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    type,
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
}

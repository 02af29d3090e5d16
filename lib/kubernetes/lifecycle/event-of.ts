import type { JsonObject, ObjectName } from '../../json/index.ts';

/** Something that happened to an object, for people. */
export interface EventRecord {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word. */
  readonly reason: string;
  readonly message: string;
}

export interface EventGiven extends EventRecord {
  /** The Event's own name, uid and namespace. */
  readonly metadata: JsonObject;
  /** Which controller tells. */
  readonly component: string;
  /** What it happened to. */
  readonly about: ObjectName & {
    readonly apiVersion: string;
    readonly kind: string;
    readonly uid: string;
  };
  /** When, as Kubernetes writes it. */
  readonly now: string;
}

/** A core/v1 Event that tells of something for the first time, as kube-controller-manager's recorder writes it. */
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

import type { Access } from './access.ts';
import type { Level } from './parse-policy.ts';

/** `ResponseStarted` is told of watches alone. */
export type Stage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete';

/** What an event tells of a request, whatever its stage. */
export interface AuditedRequest {
  readonly auditID: string;
  /** Path and query. */
  readonly requestURI: string;
  readonly access: Access;
  /** Of the path; `''` where it is about no objects. */
  readonly apiVersion: string;
  readonly user: AuditedUser;
  /** The impersonated user, if there is one. */
  readonly impersonatedUser?: AuditedUser | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string | undefined;
  /** What was sent, where the level tells it and it is JSON. */
  readonly requestObject?: unknown;
  /** Of an object that is made, the name that it was sent with: the path has none. */
  readonly nameSent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly received: number;
}

interface AuditedUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface EventOptions {
  readonly level: Level;
  readonly stage: Stage;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What is answered, from the stage on at which that is known. */
  readonly responseStatus?: { readonly code: number; readonly reason?: string; readonly message?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An `Event` of `audit.k8s.io/v1`, to be written as JSON. */
export type AuditEvent = Readonly<Record<string, unknown>>;

/** What is written down of one stage of a request. */
export function auditEvent(request: AuditedRequest, options: EventOptions): AuditEvent {
  const { level, stage, now, responseStatus, annotations = {} } = options;
  const { auditID, requestURI, access, user, impersonatedUser, sourceIPs, userAgent, requestObject } =
    request;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID,
    stage,
    requestURI,
    verb: access.verb,
    user,
    impersonatedUser,
    sourceIPs,
    userAgent,
    objectRef: objectRef(request, stage),
    responseStatus: responseStatus === undefined ? undefined : statusOf(responseStatus),
    requestObject: level === 'Request' && stage !== 'RequestReceived' ? requestObject : undefined,
    requestReceivedTimestamp: microTime(request.received),
    stageTimestamp: microTime(now),
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
  };
}

/** Nothing that was sent is told when the request was received. */
function objectRef({ access, apiVersion, nameSent = '' }: AuditedRequest, stage: Stage) {
  if ('path' in access) return undefined;
  const { apiGroup, resource, subresource, namespace } = access;
  const name = stage === 'RequestReceived' ? access.name : access.name || nameSent;
  const told = { resource, namespace, name, apiGroup, apiVersion, subresource };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''));
}

function statusOf({ code, ...why }: { readonly code: number }) {
  return { metadata: {}, ...(code >= 400 && { status: 'Failure' }), ...why, code };
}

/** `2026-11-22T18:42:45.383000Z` */
function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

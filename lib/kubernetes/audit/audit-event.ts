import type { Access } from './access.ts';
import type { Level } from './parse-policy.ts';

/** The stage of a request. Only watches have `ResponseStarted`. */
export type Stage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete';

/** The facts about a request that its events report at every stage. */
export interface AuditedRequest {
  readonly auditID: string;
  /** Path and query. */
  readonly requestURI: string;
  readonly access: Access;
  /** The version in the path; `''` if the request is not about objects. */
  readonly apiVersion: string;
  readonly user: AuditedUser;
  /** The impersonated user, if there is one. */
  readonly impersonatedUser?: AuditedUser | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string | undefined;
  /** The request body, if the level includes it and it is JSON. */
  readonly requestObject?: unknown;
  /** The name in the body of a create request, whose path has no name. */
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
  /** The response status, from the stage at which it is known. */
  readonly responseStatus?: { readonly code: number; readonly reason?: string; readonly message?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An `Event` of `audit.k8s.io/v1`, serializable as JSON. */
export type AuditEvent = Readonly<Record<string, unknown>>;

/** Returns the audit event for one stage of a request. */
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

/** Returns the reference to the object. At `RequestReceived` it holds nothing from the body. */
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

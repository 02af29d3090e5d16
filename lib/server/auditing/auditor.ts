import { type AuditEvent, judge, type Policy } from '../../kubernetes/audit/index.ts';
import type { Clock } from '../../platform/index.ts';
import { attributesOf } from '../access/index.ts';
import type { ApiRequest, Auditing, AuditTrail } from '../http/index.ts';
import { nameIn, readSent, requestObject } from './request-object.ts';
import { type AuditedBody, RequestTrail } from './request-trail.ts';
import { servedAs } from './served-as.ts';

export interface AuditorOptions {
  readonly policy: Policy;
  readonly clock: Clock;
  /** Stores an event. Must not throw. The response does not wait for it. */
  keep(event: AuditEvent): void;
  /** Waits until all events are stored, if the caller must wait for that. Must not reject. */
  settle?: (() => Promise<void>) | undefined;
}

/** Records the events that an audit policy selects. */
export class Auditor implements Auditing {
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  /**
   * Begins the trail of a request and stores its first event. Undefined if the policy selects no events of the
   * request.
   */
  async begin(request: ApiRequest): Promise<AuditTrail | undefined> {
    const { policy, clock, keep, settle } = this.#options;
    const { username, groups } = request.user;
    const access = accessOf(request);
    const verdict = judge(policy, { username, groups, access });
    if (verdict.level === 'None') return undefined;
    const { auditID = '', path, query, headers, user, sourceIP } = request;
    const asked = query.size === 0 ? path : `${path}?${query}`;
    const told = {
      auditID,
      requestURI: asked,
      access,
      apiVersion: versionIn(path),
      user,
      sourceIPs: sourceIP === undefined ? [] : [sourceIP],
      userAgent: headers['user-agent'],
      received: clock.now(),
    };
    const { isServed, hasData } = servedAs(request);
    // The body is recorded only if the path names a resource. For other paths, no rule requests the body.
    const isTold = verdict.level === 'Request' && !('path' in access);
    const isNew = isServed && !('path' in access) && access.verb === 'create' && access.name === '';
    const { omitManagedFields } = verdict;
    const readBody = async (): Promise<AuditedBody> => {
      const sent = (isTold && isServed) || isNew ? await readSent(request) : undefined;
      const body = isTold ? requestObject(request, { sent, isServed, hasData, omitManagedFields }) : {};
      return { ...body, nameSent: isNew ? nameIn(sent) : undefined };
    };
    return new RequestTrail({ request: told, verdict, clock, keep, settle, readBody });
  }
}

/** The access of a request. A path with a malformed escape counts as a path that names no resource. */
function accessOf(request: ApiRequest) {
  try {
    return attributesOf(request);
  } catch {
    return { verb: request.method.toLowerCase(), path: request.path };
  }
}

/** The API version in a path: `v1` in `/api/v1/pods` and in `/apis/apps/v1/deployments`. */
function versionIn(path: string): string {
  const [, root, first = '', second = ''] = path.split('/');
  return root === 'api' ? first : root === 'apis' ? second : '';
}

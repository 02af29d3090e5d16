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
  /** Keeps an event. Must not throw. The answer does not wait for it. */
  keep(event: AuditEvent): void;
  /** Waits for what was kept, where somebody has to. Must not reject. */
  settle?: (() => Promise<void>) | undefined;
}

/** Writes down what an audit policy asks for. */
export class Auditor implements Auditing {
  readonly #options: AuditorOptions;

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  /** Undefined for a request of which nothing is told. Its first event is kept already. */
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
    // What is sent to a path that is about no objects, or cannot be read, is nothing that a rule named.
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

/** A path that cannot be read is about no objects. */
function accessOf(request: ApiRequest) {
  try {
    return attributesOf(request);
  } catch {
    return { verb: request.method.toLowerCase(), path: request.path };
  }
}

/** `v1` of `/api/v1/pods` and of `/apis/apps/v1/deployments`. */
function versionIn(path: string): string {
  const [, root, first = '', second = ''] = path.split('/');
  return root === 'api' ? first : root === 'apis' ? second : '';
}

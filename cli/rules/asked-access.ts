import { type JsonObject, objectAt } from '../../lib/json/index.ts';
import type { Judged } from '../../lib/kubernetes/admission-policies/index.ts';
import type { Connection } from '../connection/index.ts';

type Authorizer = Judged['authorizer'];
type AccessCheck = Parameters<Authorizer['check']>[0];
type AccessDecision = ReturnType<Authorizer['check']>;

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const UNKNOWN: AccessDecision = { isAllowed: false, reason: '' };

/**
 * Answers the access checks of expressions by SubjectAccessReviews. An expression cannot wait, so a check that is not
 * known yet is noted: `ask` answers it, and the caller evaluates the expression again.
 */
export class AskedAccess implements Authorizer {
  readonly #connection: Pick<Connection, 'askInput'>;
  readonly #known = new Map<string, AccessDecision>();
  readonly #wanted = new Map<string, AccessCheck>();

  constructor(connection: Pick<Connection, 'askInput'>) {
    this.#connection = connection;
  }

  check(access: AccessCheck): AccessDecision {
    const key = JSON.stringify(access);
    const known = this.#known.get(key);
    if (known === undefined) this.#wanted.set(key, access);
    return known ?? UNKNOWN;
  }

  /** Asks about the unknown checks. False if there were none. */
  async ask(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [key, access] of wanted) this.#known.set(key, await this.#review(access));
    return wanted.length > 0;
  }

  async #review(access: AccessCheck): Promise<AccessDecision> {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: specOf(access) };
    const {
      allowed,
      reason = '',
      evaluationError,
    } = objectAt((await this.#connection.askInput('POST', REVIEWS, { body })).status);
    return {
      isAllowed: allowed === true,
      reason: String(reason),
      ...(typeof evaluationError === 'string' && { error: evaluationError }),
    };
  }
}

function specOf(access: AccessCheck): JsonObject {
  const { name: user, uid, groups, extra } = access.user;
  const who = { user, uid, groups: [...groups], extra: extra as JsonObject };
  if ('path' in access) {
    return { ...who, nonResourceAttributes: { path: access.path, verb: access.verb } };
  }
  const { verb, apiGroup: group, resource, subresource, namespace, name } = access;
  return {
    ...who,
    resourceAttributes: { verb, group, version: '*', resource, subresource, namespace, name },
  };
}

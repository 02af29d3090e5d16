import { nodeNameOf, type Policy, type User } from '../../kubernetes/rbac/index.ts';
import type { Store } from '../../store/index.ts';
import { type ApiRequest, type AuditTrail, MASTERS, type UserInfo } from '../http/index.ts';
import type { NodeAuthority, NodeQuestion } from '../nodes/index.ts';
import { type Known, PolicyCache, userOf } from '../policies/index.ts';
import { ApiError } from '../status/index.ts';
import { attributesOf, requiredIn } from './attributes-of.ts';
import { impersonate } from './impersonate.ts';
import { Permission } from './permission.ts';
import { readImpersonation } from './read-impersonation.ts';

/** A request before authorization. */
export interface AuthorizationRequest {
  readonly request: ApiRequest;
  /** The store, with a deadline for the decision. */
  readonly store: Store;
  /** The store, with a deadline for the whole response. A watch is authorized again while it is open. */
  readonly lasting: Store;
  /** Begins the audit event of the request when the user is known; absent without an audit log. */
  readonly begin?: ((request: ApiRequest) => Promise<AuditTrail | undefined>) | undefined;
}

export interface Admitted {
  /** The effective user of the request. */
  readonly request: ApiRequest;
  /** The permission; undefined for members of `system:masters`. */
  readonly permission: Permission | undefined;
}

/**
 * Authorizes the requests of callers outside `system:masters`. A process keeps one instance, which caches
 * AccessEntries, roles and bindings.
 */
export class RequestAuthorizer {
  readonly #cache = new PolicyCache();

  async policy(store: Store): Promise<Policy> {
    return (await this.#cache.current(store)).policy;
  }

  /**
   * Authorizes a request before anything is read, so that a 403 does not reveal whether an object exists.
   *
   * @throws ApiError 403; 500 impersonation headers that name no user
   */
  async admit(asking: AuthorizationRequest): Promise<Admitted> {
    const first = await this.#know(asking);
    const node = await this.#nodeOf(asking, first);
    // Reading a node's rights takes time, so the roles may have changed.
    const known = node === undefined ? first : await this.#know(asking);
    // Decide user and rights before the auditor writes: another request may update the cached policy during that write.
    const asker = asEntered(asking.request, known);
    const wanted = outcomeOf(() => asWanted(asker, known?.policy));
    const permitted = known && outcomeOf(() => this.#permission(wanted(), asking, { known, node }));
    const trail = await asking.begin?.(asker);
    try {
      const request = wanted();
      if (request !== asker) trail?.answersTo(request.user);
      const permission = permitted === undefined ? await this.#ofMaster(request, asking, node) : permitted();
      trail?.decided({ allowed: true, reason: permission?.reason ?? '' });
      return { request, permission };
    } catch (error) {
      if (isForbidden(error)) trail?.decided({ allowed: false, reason: error.message });
      throw error;
    }
  }

  /** Undefined for members of `system:masters`, who need no policy before impersonation. */
  async #know({ request, store, begin }: AuthorizationRequest): Promise<Known | undefined> {
    if (isMaster(request.user)) return undefined;
    try {
      return await this.#cache.current(store);
    } catch (error) {
      await begin?.(request);
      throw error;
    }
  }

  /** The rights of the node that the effective user stands for; undefined for other users. */
  async #nodeOf(
    { request, store, begin }: AuthorizationRequest,
    known: Known | undefined,
  ): Promise<NodeAuthority | undefined> {
    const question = nodeQuestionOf(request, known);
    if (question === undefined) return undefined;
    const { NodeAuthority } = await import('../nodes/index.ts');
    try {
      return await NodeAuthority.of(store, question);
    } catch (error) {
      await begin?.(request);
      throw error;
    }
  }

  /** The permission of the user that a member of `system:masters` impersonates. */
  async #ofMaster(
    request: ApiRequest,
    asking: AuthorizationRequest,
    node: NodeAuthority | undefined,
  ): Promise<Permission | undefined> {
    if (isMaster(request.user)) return undefined;
    return this.#permission(request, asking, { known: await this.#cache.current(asking.store), node });
  }

  #permission(
    request: ApiRequest,
    { request: given, lasting }: AuthorizationRequest,
    { known, node }: { readonly known: Known; readonly node: NodeAuthority | undefined },
  ): Permission | undefined {
    if (isMaster(request.user)) return undefined;
    const { policy, row } = known;
    const user = subjectOf(request);
    if (nodeNameOf(user) !== node?.node) throw identityChanged();
    const access = node?.access ?? attributesOf(request);
    const now = () => this.#again(given, known);
    const latest = async () => this.#again(given, await this.#cache.current(lasting));
    return new Permission({ user, access, policy, node, row, now, latest });
  }

  /** The current user and policy of a request; undefined if the caller may not impersonate this user any more. */
  #again(given: ApiRequest, known: Known): { user: User; policy: Policy } | undefined {
    try {
      const own = isMaster(given.user) ? undefined : known;
      const request = asWanted(asEntered(given, own), own?.policy);
      return { user: subjectOf(request), policy: known.policy };
    } catch (error) {
      if (isForbidden(error)) return undefined;
      throw error;
    }
  }
}

/** Runs `work` now, and returns a function that returns its value or throws its error. */
function outcomeOf<Value>(work: () => Value): () => Value {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

const isMaster = ({ groups }: UserInfo) => groups.includes(MASTERS);

/** The error for a user that another request's policy made a node, or another node, while this request was decided. */
const identityChanged = () =>
  new ApiError(503, 'ServiceUnavailable', 'the identity of the caller changed during the request: try again');

const isForbidden = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 403;

function subjectOf({ user: { username: name, groups } }: ApiRequest): User {
  return { name, groups };
}

/** The question about the node that the effective user stands for; undefined for other users. */
function nodeQuestionOf(asked: ApiRequest, known: Known | undefined): NodeQuestion | undefined {
  try {
    const request = asWanted(asEntered(asked, known), known?.policy);
    const user = subjectOf(request);
    if (isMaster(request.user) || nodeNameOf(user) === undefined) return undefined;
    const selected = requiredIn(request.query.get('fieldSelector') ?? '', 'spec.nodeName');
    return { user, access: attributesOf(request), selected };
  } catch (error) {
    // The request is refused later.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The request with the user that the AccessEntry of its principal names; without an entry, with its own user. */
function asEntered(request: ApiRequest, known: Known | undefined): ApiRequest {
  const { principal, user } = request;
  const entry = principal === undefined ? undefined : known?.entries.of(principal);
  return entry === undefined ? request : { ...request, user: userOf(entry, user) };
}

/** The request with the user that it impersonates. Without a policy the user may impersonate everyone. */
function asWanted(request: ApiRequest, policy: Policy | undefined): ApiRequest {
  const asked = readImpersonation(request.impersonation ?? {});
  return asked === undefined ? request : { ...request, user: impersonate(request.user, asked, policy) };
}

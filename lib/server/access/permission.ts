import type { Collection } from '../../json/index.ts';
import type { Access, Decision, Policy, Scope, User } from '../../kubernetes/rbac/index.ts';
import type { AccessVersions } from '../../store/index.ts';
import type { Authorization, Recheck, TokenCipher } from '../http/index.ts';
import type { NodeAuthority } from '../nodes/index.ts';
import { decide, type Rights } from './decide.ts';
import { forbiddenAccess } from './forbidden-access.ts';
import { SecretSeal } from './token-cipher.ts';
import { VisibleScopes } from './visible-scopes.ts';

export interface PermissionOptions extends Rights {
  /** The access that the request needs. */
  readonly access: Access;
  /** The access row as the request has read it. */
  readonly row: AccessVersions;
  /** The current policy and the current user, read together. */
  now(): Pick<PermissionOptions, 'user' | 'policy'> | undefined;
  /** The current policy and user; undefined if the caller may no longer impersonate that user. */
  latest(): Promise<Pick<PermissionOptions, 'user' | 'policy'> | undefined>;
}

/** One access that this request needed, and the scope that was granted for it. */
interface Decided {
  readonly access: Access;
  /** Undefined means all objects. */
  readonly scope: Scope | undefined;
}

/** The decision to allow a request, for all objects or for those in a scope. */
export class Permission implements Authorization {
  readonly user: User;
  readonly access: Access;
  readonly policy: Policy;
  readonly #node: NodeAuthority | undefined;
  /** The bindings or grants that allow the request, in Kubernetes' words. */
  readonly reason: string;
  /** The scope of the permission; undefined means all objects. Objects outside it do not exist for the caller. */
  readonly scope: Scope | undefined;
  readonly sight: VisibleScopes;
  readonly now: Authorization['now'];
  readonly #latest: PermissionOptions['latest'];
  /** The access row as the request has read it: the versions of the admission rules are in it too. */
  readonly row: AccessVersions;
  /** The scope for the collection that the request lists. */
  #listed: Scope | undefined;
  /** Every access that this request needed. {@link stands} checks each of them again. */
  readonly #decided: Decided[] = [];

  /** @throws ApiError 403 the caller has access to no object */
  constructor({ user, access, policy, node, row, now, latest }: PermissionOptions) {
    this.user = user;
    this.access = access;
    this.policy = policy;
    this.#node = node;
    this.now = () => now() ?? { user, policy };
    this.#latest = latest;
    const { scope, reason } = this.#decide(access);
    this.scope = scope;
    this.reason = reason;
    this.sight = new VisibleScopes(scope);
    this.row = row;
    this.#listed = scope;
  }

  get node(): string | undefined {
    return this.#node?.node;
  }

  get seal(): TokenCipher | undefined {
    // The key encrypts continue tokens of callers with limited access.
    const { secret } = this.row;
    const isSealed = this.#listed !== undefined && secret !== undefined;
    return isSealed ? new SecretSeal(secret, `${this.#listed}`) : undefined;
  }

  demand(access: Access): void {
    if (this.#decide(access).scope !== undefined) this.refuse(access);
  }

  reach(access: Access): Scope | undefined {
    return this.#decide(access).scope;
  }

  look(collection: Collection, access: Access): void {
    this.#listed = this.reach(access);
    this.sight.set(collection, this.#listed);
  }

  /** The decision for an access, whether it is allowed or not. */
  judge(access: Access): Decision {
    const { user, policy } = this;
    return decide({ user, policy, node: this.#node }, access);
  }

  async stands(): Promise<Recheck> {
    const latest = await this.#latest();
    if (latest === undefined) return 'denied';
    const { user, policy } = latest;
    let standing: Recheck = 'stands';
    for (const { access, scope: before } of this.#decided) {
      const { allowed, scope } = decide({ user, policy, node: this.#node }, access);
      if (!allowed && scope === undefined) return 'denied';
      if (`${scope}` !== `${before}`) standing = 'changed';
    }
    return standing;
  }

  /** Refuses the request, and names the scope that the caller has. @throws ApiError 403 */
  refuse(access: Access): never {
    const { scope, reason } = this.judge(access);
    const why = scope === undefined ? reason : `this request needs access to all objects; ${reason}`;
    throw forbiddenAccess(this.user.name, access, why);
  }

  /** @throws ApiError 403 the caller has access to no object */
  #decide(access: Access): { readonly scope: Scope | undefined; readonly reason: string } {
    const { allowed, scope, reason } = this.judge(access);
    if (!allowed && scope === undefined) this.refuse(access);
    this.#decided.push({ access, scope });
    return { scope, reason };
  }
}

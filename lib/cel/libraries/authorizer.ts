import { type Implementations, typed } from '../functions/index.ts';
import { CelError, NO_OVERLOAD, OpaqueValue, type Value } from '../values/index.ts';
import { labelErrors, subdomainErrors } from './named-formats.ts';

/** The user whose access a check asks for. */
export interface AuthorizedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The access that an expression checks: to objects, or to a path. */
export type AccessCheck = ResourceCheck | PathCheck;

export interface ResourceCheck {
  readonly user: AuthorizedUser;
  readonly verb: string;
  /** `''` is the core group. The check concerns all versions. */
  readonly apiGroup: string;
  readonly resource: string;
  readonly subresource: string;
  /** `''` for all namespaces, or for a type without namespaces. */
  readonly namespace: string;
  /** `''` for any name */
  readonly name: string;
  /** Texts that may be no selectors. An authorizer counts an unreadable one as absent. `''` if there is none. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface PathCheck {
  readonly user: AuthorizedUser;
  readonly verb: string;
  readonly path: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** What kept the authorizer from deciding. */
  readonly error?: string | undefined;
}

/** Decides on access, at once and without I/O. */
export interface Authorizer {
  check(access: AccessCheck): AccessDecision;
}

/** A value that has functions and no fields. It equals nothing. */
abstract class ReceiverValue extends OpaqueValue {
  override get isHashable(): boolean {
    return false;
  }

  override equals(): CelError {
    return NO_OVERLOAD;
  }
}

/** `authorizer`: asks for the access of one user. */
class AuthorizerValue extends ReceiverValue {
  override readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly user: AuthorizedUser;
  readonly authorizer: Authorizer;

  constructor(user: AuthorizedUser, authorizer: Authorizer) {
    super();
    this.user = user;
    this.authorizer = authorizer;
  }
}

class PathValue extends ReceiverValue {
  override readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly asker: AuthorizerValue;
  readonly path: string;

  constructor(asker: AuthorizerValue, path: string) {
    super();
    this.asker = asker;
    this.path = path;
  }
}

class GroupValue extends ReceiverValue {
  override readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly asker: AuthorizerValue;
  readonly group: string;

  constructor(asker: AuthorizerValue, group: string) {
    super();
    this.asker = asker;
    this.group = group;
  }
}

/** The parts of a check that expressions set one by one. */
type ResourceParts = Omit<ResourceCheck, 'user' | 'verb'>;

class ResourceValue extends ReceiverValue {
  override readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly asker: AuthorizerValue;
  readonly parts: ResourceParts;

  constructor(asker: AuthorizerValue, parts: ResourceParts) {
    super();
    this.asker = asker;
    this.parts = parts;
  }

  with(parts: Partial<ResourceParts>): ResourceValue {
    return new ResourceValue(this.asker, { ...this.parts, ...parts });
  }
}

class DecisionValue extends ReceiverValue {
  override readonly typeName = 'kubernetes.authorization.Decision';
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

const NO_PARTS = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };

/** Returns the variable `authorizer`, which begins with the access of the caller. */
export function authorizerValue(user: AuthorizedUser, authorizer: Authorizer): Value {
  return new AuthorizerValue(user, authorizer);
}

/** Returns the variable `authorizer.requestResource`: a check of the access to the object of the request. */
export function requestResourceValue(
  user: AuthorizedUser,
  authorizer: Authorizer,
  requested: Pick<ResourceCheck, 'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): Value {
  const { apiGroup, resource, subresource, namespace, name } = requested;
  const asker = new AuthorizerValue(user, authorizer);
  return new ResourceValue(asker, { ...NO_PARTS, apiGroup, resource, subresource, namespace, name });
}

/** Returns the authorizer for a service account. Its groups are those that Kubernetes gives all service accounts. */
function serviceAccount(asker: AuthorizerValue, namespace: string, name: string): Value {
  if (subdomainErrors(name).length > 0) return new CelError('Invalid service account name');
  if (labelErrors(namespace).length > 0) return new CelError('Invalid service account namespace');
  const user: AuthorizedUser = {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: {},
  };
  return new AuthorizerValue(user, asker.authorizer);
}

/** Functions of the authorizer, by overload id (k8s.io/apiserver/pkg/cel/library, authz.go). */
export const AUTHORIZATION: Implementations = {
  authorizer_path: typed((_, asker: AuthorizerValue, path: string) =>
    path.trim() === '' ? new CelError('path must not be empty') : new PathValue(asker, path),
  ),
  authorizer_group: typed((_, asker: AuthorizerValue, group: string) => new GroupValue(asker, group)),
  authorizer_serviceaccount: typed(({ meter }, asker: AuthorizerValue, namespace: string, name: string) => {
    meter.match(1, namespace.length + name.length);
    return serviceAccount(asker, namespace, name);
  }),
  groupcheck_resource: typed((_, { asker, group }: GroupValue, resource: string) =>
    resource.trim() === ''
      ? new CelError('resource must not be empty')
      : new ResourceValue(asker, { ...NO_PARTS, apiGroup: group, resource }),
  ),
  resourcecheck_subresource: typed((_, one: ResourceValue, subresource: string) => one.with({ subresource })),
  resourcecheck_namespace: typed((_, one: ResourceValue, namespace: string) => one.with({ namespace })),
  resourcecheck_name: typed((_, one: ResourceValue, name: string) => one.with({ name })),
  authorizer_fieldselector: typed((_, one: ResourceValue, fieldSelector: string) =>
    one.with({ fieldSelector }),
  ),
  authorizer_labelselector: typed((_, one: ResourceValue, labelSelector: string) =>
    one.with({ labelSelector }),
  ),
  pathcheck_check: typed((_, { asker, path }: PathValue, verb: string) => {
    return new DecisionValue(asker.authorizer.check({ user: asker.user, verb, path }));
  }),
  resourcecheck_check: typed((_, { asker, parts }: ResourceValue, verb: string) => {
    return new DecisionValue(asker.authorizer.check({ user: asker.user, verb, ...parts }));
  }),
  decision_allowed: typed((_, { decision }: DecisionValue) => decision.isAllowed),
  decision_reason: typed((_, { decision }: DecisionValue) => decision.reason),
  decision_errored: typed((_, { decision }: DecisionValue) => decision.error !== undefined),
  decision_error: typed((_, { decision }: DecisionValue) => decision.error ?? ''),
};

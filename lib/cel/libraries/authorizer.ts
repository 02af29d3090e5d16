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

/** The user that a token names itself, in Kubernetes' terms, without a principal of AWS. */
export interface Identity {
  readonly username: string;
  readonly uid?: string | undefined;
  /** The groups that the login names. Every user is also a member of `system:authenticated`. */
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The objects that must still exist, with these uids, for the token to be valid. */
  readonly bound?: readonly BoundObject[] | undefined;
  /** When its token expires, in milliseconds since the Unix epoch; undefined if the token does not expire. */
  readonly expires?: number | undefined;
}

/** An object that a token is bound to. The token is valid only while the object exists. */
export interface BoundObject {
  readonly resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes';
  /** `''` for a node. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The context that an authorizer passes to the functions behind it; the values can only be strings. */
type Context = Readonly<Record<string, string>>;

/**
 * The authorizer context of an identity. Its keys differ from those of a principal's context, so neither can be taken
 * for the other.
 */
export function identityContext({ username, uid, groups, extra, bound, expires }: Identity): Context {
  return {
    username,
    groups: JSON.stringify(groups),
    ...(uid === undefined ? {} : { uid }),
    ...(expires === undefined ? {} : { expires: String(expires) }),
    ...(extra === undefined ? {} : { extra: JSON.stringify(extra) }),
    ...(bound === undefined ? {} : { bound: JSON.stringify(bound) }),
  };
}

/** Reads the context of {@link identityContext}; undefined if it holds none, for example a principal instead. */
export function readIdentity(context: Readonly<Record<string, unknown>>): Identity | undefined {
  const { username, uid, groups, extra, bound, expires } = context;
  if (typeof username !== 'string') return undefined;
  return {
    username,
    groups: JSON.parse(String(groups)),
    ...(typeof uid === 'string' && { uid }),
    ...(typeof extra === 'string' && { extra: JSON.parse(extra) }),
    ...(typeof bound === 'string' && { bound: JSON.parse(bound) }),
    ...(typeof expires === 'string' && { expires: Number(expires) }),
  };
}

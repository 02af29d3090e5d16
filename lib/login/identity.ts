/** The user that a token names itself, in Kubernetes' terms, without a principal of AWS. */
export interface Identity {
  readonly username: string;
  readonly uid?: string | undefined;
  /** The groups that the login names; every user is a member of `system:authenticated`. */
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What has to be there still, with that uid, for the token to count. */
  readonly bound?: readonly BoundObject[] | undefined;
  /** When its token ends, in milliseconds since the Unix epoch; undefined where it does not. */
  readonly expires?: number | undefined;
}

/** An object by which a token stands and falls. */
export interface BoundObject {
  readonly resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes';
  /** Empty of a node. */
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

/** Reads the context of {@link identityContext}; undefined if the context holds none, for example a principal instead. */
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

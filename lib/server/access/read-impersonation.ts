/** The identity that the headers of a request ask for, before authorization. A part that no header names is empty. */
export interface Impersonation {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Values by key. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const EXTRA = 'impersonate-extra-';

/**
 * Reads the headers that `kubectl --as` sends; undefined if there are none.
 *
 * @param headers all values of each header, by its name in lower case
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
 */
export function readImpersonation(
  headers: Readonly<Record<string, readonly string[]>>,
): Impersonation | undefined {
  const { 'impersonate-user': [user = ''] = [], 'impersonate-uid': [uid = ''] = [] } = headers;
  const { 'impersonate-group': groups = [] } = headers;
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(EXTRA))
      .map(([name, values]) => [unescaped(name.slice(EXTRA.length)), values]),
  );
  const isAsked = user !== '' || uid !== '' || groups.length + Object.keys(extra).length > 0;
  return isAsked ? { user, uid, groups, extra } : undefined;
}

/** Decodes a percent-encoded key. A key that is not a valid encoding is taken as it is. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

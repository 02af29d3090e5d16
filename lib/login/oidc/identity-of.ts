import type { JWTPayload } from 'jose';
import type { Identity } from '../identity.ts';
import type { ClaimMapping, JwtIssuer } from '../jwt-issuer.ts';
import { RefusedError } from '../refused-error.ts';

/** The most characters of a name. */
const LONGEST = 512;
/** Text that logs, headers and messages can hold: no control characters and no lone surrogates. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\uFFFE\uFFFF]+$/u;
/** The names that Kubernetes reserves, and those of AWS principals. */
const RESERVED = /^(?:system:|arn:)/;

/**
 * Reads the user of a verified token, by the claims that the issuer's configuration names.
 *
 * @throws {RefusedError} a claim is missing or invalid, or the name is reserved.
 */
export function identityOf(claims: JWTPayload, issuer: JwtIssuer): Identity {
  for (const { claim, value } of issuer.required) {
    if (claims[claim] !== value) throw new RefusedError('claims');
  }
  // As in kube-apiserver: an e-mail address that its issuer did not verify could be anyone's.
  if (issuer.username.claim === 'email' && 'email_verified' in claims && claims.email_verified !== true) {
    throw new RefusedError('claims');
  }
  const username = nameOf(claims[issuer.username.claim], issuer.username);
  const uid = issuer.uid === undefined ? undefined : claims[issuer.uid];
  if (uid !== undefined && !isName(uid)) throw new RefusedError('claims');
  return { username, uid, groups: groupsOf(claims, issuer.groups) };
}

function nameOf(value: unknown, { prefix }: ClaimMapping): string {
  if (!isName(value)) throw new RefusedError('claims');
  const name = `${prefix}${value}`;
  if (RESERVED.test(name)) throw new RefusedError('name');
  return name;
}

/** The groups of a token. Groups with reserved names are left out. */
function groupsOf(claims: JWTPayload, mapping: ClaimMapping | undefined): readonly string[] {
  const given = mapping === undefined ? undefined : claims[mapping.claim];
  if (mapping === undefined || given === undefined || given === null) return [];
  const groups: unknown[] = Array.isArray(given) ? given : [given];
  if (!groups.every(isName)) throw new RefusedError('claims');
  return groups.map((group) => `${mapping.prefix}${group}`).filter((group) => !RESERVED.test(group));
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST && PRINTABLE.test(value);

import type { JWTPayload } from 'jose';
import type { Identity } from '../identity.ts';
import type { ClaimMapping, JwtIssuer } from '../jwt-issuer.ts';
import { RefusedError } from '../refused-error.ts';

/** Longest name, in characters. */
const LONGEST = 512;
/** What a log, a header and a message can hold: no control characters, no halves of a character. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\uFFFE\uFFFF]+$/u;
/** Names that are Kubernetes' own, and those by which principals of AWS are known. */
const RESERVED = /^(?:system:|arn:)/;

/**
 * The user of a token, by the claims that the issuer's configuration names. The token is verified already.
 *
 * @throws {RefusedError} a claim is missing, or is not what it has to be, or the name is not for claims to give.
 */
export function identityOf(claims: JWTPayload, issuer: JwtIssuer): Identity {
  for (const { claim, value } of issuer.required) {
    if (claims[claim] !== value) throw new RefusedError('claims');
  }
  // As kube-apiserver: an address that its issuer did not verify is anybody's.
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

/** Groups that are Kubernetes' own are left out: what is left is what the token may say. */
function groupsOf(claims: JWTPayload, mapping: ClaimMapping | undefined): readonly string[] {
  const given = mapping === undefined ? undefined : claims[mapping.claim];
  if (mapping === undefined || given === undefined || given === null) return [];
  const groups: unknown[] = Array.isArray(given) ? given : [given];
  if (!groups.every(isName)) throw new RefusedError('claims');
  return groups.map((group) => `${mapping.prefix}${group}`).filter((group) => !RESERVED.test(group));
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST && PRINTABLE.test(value);

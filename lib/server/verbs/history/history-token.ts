import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../json/index.ts';
import type { TokenCipher } from '../../http/index.ts';
import { badRequest, expired } from '../../status/index.ts';

/** The history that a token continues. */
export interface TokenSubject {
  /** The facts of the request that must be the same on each page. */
  readonly about: readonly (string | boolean)[];
  /** For callers with limited access. */
  readonly seal: TokenCipher | undefined;
}

const LONGEST = 4_096;
const DIGEST_LENGTH = 12;

/** A token with the position of the next page. For callers with limited access it is encrypted. */
export function encodePosition({ about, seal }: TokenSubject, position: JsonObject): string {
  const of = digestOf(about);
  const token = { ...position, of };
  const whole = seal === undefined ? token : { sealed: seal.close(JSON.stringify(token), of) };
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}

/**
 * The position in a token, whose fields are safe integers.
 *
 * @throws ApiError 400 the token is invalid, or continues another history; 410 the caller's permissions have changed
 */
export function decodePosition(
  { about, seal }: TokenSubject,
  text: string,
): Readonly<Record<string, number>> {
  const of = digestOf(about);
  const { of: found, ...position } = opened(read(text), of, seal);
  if (found !== of) throw refused('it belongs to another history');
  const entries = Object.entries(position).map(([field, value]) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      throw refused(`${field} is not an integer`);
    }
    return [field, value] as const;
  });
  return Object.fromEntries(entries);
}

function opened(token: JsonObject, of: string, seal: TokenCipher | undefined): JsonObject {
  const { sealed } = token;
  if (seal === undefined && sealed === undefined) return token;
  const plain = typeof sealed === 'string' ? seal?.open(sealed, of) : undefined;
  if (plain === undefined) {
    throw expired(
      'The continue parameter belongs to another history, or your permissions have changed. Start again without it.',
    );
  }
  return JSON.parse(plain);
}

function read(text: string): JsonObject {
  if (text.length > LONGEST) throw refused(`it is longer than ${LONGEST} characters`);
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (isJsonObject(token)) return token;
  } catch {
    // It is refused below.
  }
  throw refused('it is not a JSON object in base64url');
}

function digestOf(about: TokenSubject['about']): string {
  return createHash('sha256').update(JSON.stringify(about)).digest('base64url').slice(0, DIGEST_LENGTH);
}

const refused = (why: string) => badRequest(`invalid continue token: ${why}`);

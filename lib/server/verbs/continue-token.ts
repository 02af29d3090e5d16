import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, type ObjectName } from '../../json/index.ts';
import { EncodingError, parseJson } from '../../kubernetes/encodings/index.ts';
import { apiVersionOf, isObjectName } from '../../kubernetes/resource-types/index.ts';
import type { ResourceRoute, Selection, TokenCipher } from '../http/index.ts';
import { badRequest, expired } from '../status/index.ts';
import { OtherListError } from './other-list-error.ts';

/** The list that a token continues. */
export interface TokenOwner {
  readonly route: ResourceRoute;
  readonly selection: Selection;
  /** For callers with limited access. */
  readonly seal?: TokenCipher | undefined;
}

/** The position at which the next page begins: the first page's resourceVersion and the last page's last name. */
export interface Position {
  readonly rv: number;
  readonly last: ObjectName;
}

/** The version of the token, as Kubernetes has it. */
const VERSION = 'meta.k8s.io/v1';
/** The suffix of a start key: the page begins after that key. */
const AFTER = '\0';
const NAMESPACE = /^[a-z0-9.-]{0,253}$/;
const LONGEST = 4_096;
const DIGEST_LENGTH = 12;

/**
 * A token as kube-apiserver makes it, `{"v":"meta.k8s.io/v1","rv":7,"start":"web-1\0"}`, with a digest of its list. The
 * digest makes the token invalid for another selector. For callers with limited access the token is encrypted, together
 * with its list and the scope.
 */
export function encodeContinue(owner: TokenOwner, { rv, last }: Position): string {
  const start = owner.route.namespace === '' ? `${last.namespace}/${last.name}` : last.name;
  const token = { v: VERSION, rv, start: `${start}${AFTER}`, of: digestOf(owner) };
  const { seal } = owner;
  const whole = seal ? { v: VERSION, sealed: seal.close(JSON.stringify(token), digestOf(owner)) } : token;
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}

/** @throws ApiError 400 the token is invalid or of another list; 410 the caller's permissions have changed */
export function decodeContinue(owner: TokenOwner, text: string): Position {
  const { v, rv, start, of } = opened(owner, parse(text));
  if (v !== VERSION) throw refused(`server does not recognize this encoded version ${v}`);
  if (!Number.isSafeInteger(rv) || Number(rv) <= 0) {
    throw refused(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (of !== undefined && of !== digestOf(owner)) {
    throw new OtherListError(messageOf('it belongs to a list of another resource, namespace or selector'));
  }
  return { rv: Number(rv), last: nameIn(owner.route, start) };
}

/** Decrypts a token. Callers with limited access may use only encrypted tokens that were made for the same scope. */
function opened(owner: TokenOwner, token: Token): Token {
  if (owner.seal === undefined && token.sealed === undefined) return token;
  const { sealed } = token;
  const plain = sealed === undefined ? undefined : owner.seal?.open(sealed, digestOf(owner));
  if (plain === undefined) {
    throw expired(
      'The continue parameter belongs to another list, or your permissions have changed. Start a new list without it.',
    );
  }
  return read(Buffer.from(plain));
}

interface Token {
  readonly sealed?: string | undefined;
  readonly v: string;
  readonly rv: JsonObject[string] | undefined;
  readonly start: string;
  readonly of: JsonObject[string] | undefined;
}

function parse(text: string): Token {
  const wrong = text.search(/[^A-Za-z0-9_-]/);
  if (wrong !== -1) throw refused(`illegal base64 data at input byte ${wrong}`);
  if (text.length > LONGEST) throw refused(`it is longer than ${LONGEST} characters`);
  return read(Buffer.from(text, 'base64url'));
}

function read(bytes: Uint8Array): Token {
  const token = parsed(bytes);
  if (!isJsonObject(token)) throw refused('it is not a JSON object');
  const { v = '', rv, start = '', of, sealed } = token;
  const closed = typeof sealed === 'string' ? { sealed } : {};
  return { v: textOf(v), rv, start: typeof start === 'string' ? start : '', of, ...closed };
}

/** The value as text for the error message, if it is not a string. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parsed(bytes: Uint8Array) {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    throw error instanceof EncodingError ? refused(error.message) : error;
  }
}

function nameIn({ namespace: own, type }: ResourceRoute, start: string): ObjectName {
  const key = start.endsWith(AFTER) ? start.slice(0, -AFTER.length) : start;
  const slash = key.indexOf('/');
  const namespace = own === '' && slash !== -1 ? key.slice(0, slash) : own;
  const name = own === '' && slash !== -1 ? key.slice(slash + 1) : key;
  const inScope = own !== '' || slash !== -1 || type.scope === 'Cluster';
  if (!inScope || !isObjectName(name) || !NAMESPACE.test(namespace)) {
    throw refused(`invalid encoded start key (version ${VERSION})`);
  }
  return { namespace, name };
}

function digestOf({ route, selection }: TokenOwner): string {
  const { type, namespace } = route;
  const list = [
    apiVersionOf(type),
    type.resource,
    namespace,
    selection.selector.toString(),
    selection.fields,
  ];
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, DIGEST_LENGTH);
}

function refused(why: string): Error {
  return badRequest(messageOf(why));
}

const messageOf = (why: string) => `invalid continue token: continue key is not valid: ${why}`;

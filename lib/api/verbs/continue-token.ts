import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, type ObjectName } from '../../store/index.ts';
import { EncodingError, parseJson } from '../encodings/index.ts';
import type { ResourceRoute, Selection } from '../http/index.ts';
import { apiVersionOf } from '../resource-types/index.ts';
import { badRequest } from '../status/index.ts';

/** Which list a token goes on with. */
export interface TokenOwner {
  readonly route: ResourceRoute;
  readonly selection: Selection;
}

/** Where the next page begins: the first page's resourceVersion and the last page's last name. */
export interface Position {
  readonly rv: number;
  readonly last: ObjectName;
}

/** The version of the token, as Kubernetes has it. */
const VERSION = 'meta.k8s.io/v1';
/** Behind a key stands what follows it. */
const AFTER = '\0';
const NAME = /^[a-z0-9.-]{1,253}$/;
const NAMESPACE = /^[a-z0-9.-]{0,253}$/;
const LONGEST = 1_536;
const DIGEST_LENGTH = 12;

/**
 * A token as kube-apiserver makes it, `{"v":"meta.k8s.io/v1","rv":7,"start":"web-1\0"}`, with a digest of the list
 * that it is of: a page of another selector is no page of this list.
 */
export function encodeContinue(owner: TokenOwner, { rv, last }: Position): string {
  const start = owner.route.namespace === '' ? `${last.namespace}/${last.name}` : last.name;
  const token = { v: VERSION, rv, start: `${start}${AFTER}`, of: digestOf(owner) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** @throws ApiError 400 a token that is none, or of another list */
export function decodeContinue(owner: TokenOwner, text: string): Position {
  const { v, rv, start, of } = parse(text);
  if (v !== VERSION) throw refused(`server does not recognize this encoded version ${v}`);
  if (!Number.isSafeInteger(rv) || Number(rv) <= 0) {
    throw refused(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (of !== undefined && of !== digestOf(owner)) {
    throw refused('it is of a list of another resource, namespace or selector');
  }
  return { rv: Number(rv), last: nameIn(owner.route, start) };
}

interface Token {
  readonly v: string;
  readonly rv: JsonObject[string] | undefined;
  readonly start: string;
  readonly of: JsonObject[string] | undefined;
}

function parse(text: string): Token {
  const wrong = text.search(/[^A-Za-z0-9_-]/);
  if (wrong !== -1) throw refused(`illegal base64 data at input byte ${wrong}`);
  if (text.length > LONGEST) throw refused(`it is longer than ${LONGEST} characters`);
  const token = parsed(Buffer.from(text, 'base64url'));
  if (!isJsonObject(token)) throw refused('it is no JSON object');
  const { v = '', rv, start = '', of } = token;
  return { v: textOf(v), rv, start: textOf(start), of };
}

/** Whatever else it is, it is not what a token of this version says there. */
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
  if (!inScope || !NAME.test(name) || !NAMESPACE.test(namespace)) {
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
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

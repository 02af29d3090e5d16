import { type Check, RefusedError } from './refused-error.ts';

/**
 * What `aws eks get-token --cluster-name <id>` prints: `k8s-aws-v1.` and, in base64url, the URL of a presigned
 * STS GetCallerIdentity request whose signature covers the header `x-k8s-aws-id: <id>`.
 *
 *   https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Algorithm=…
 *
 * Nothing of the text is used but what is read here, and the request is rebuilt from that.
 */
export interface Token {
  readonly host: string;
  /** The query of the request, rebuilt. */
  readonly query: string;
  /** Milliseconds since the Unix epoch, by the clock of the token's creator. */
  readonly signedAt: number;
}

export const PREFIX = 'k8s-aws-v1.';

/** aws-iam-authenticator's limit, which is EKS'. */
const MAXIMUM_LENGTH = 4_096;

/** Seconds. STS takes a presigned request for 15 minutes, whatever it says. */
const MAXIMUM_EXPIRES = 900;

/** No user, port, fragment or path fits, and no character that a URL parser reads in a way of its own. */
const URL_SYNTAX = /^https:\/\/([a-z0-9.-]+)\/\?([A-Za-z0-9%_.~=&-]+)$/;

const PARAMETERS = [
  'Action',
  'Version',
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Security-Token',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
] as const;

type Parameter = (typeof PARAMETERS)[number];
type Parameters = ReadonlyMap<Parameter, string>;

/** Temporary credentials have one, permanent ones do not. */
const OPTIONAL: Parameter = 'X-Amz-Security-Token';

/**
 * Reads a token by the book, or not at all. `hosts` are those that may be asked, each with its region.
 *
 * @throws {RefusedError} naming the first check that it does not pass.
 */
export function parseToken(text: string, hosts: ReadonlyMap<string, string>): Token {
  check('length', text.length <= MAXIMUM_LENGTH);
  check('prefix', text.startsWith(PREFIX));
  const [, host = '', query = ''] = URL_SYNTAX.exec(decode(text.slice(PREFIX.length))) ?? refuse('url');
  const region = hosts.get(host) ?? refuse('host');
  const parameters = parseQuery(query);
  const is = (name: Parameter, syntax: RegExp) => syntax.test(parameters.get(name) ?? '');
  check('action', is('Action', /^GetCallerIdentity$/));
  check('version', is('Version', /^2011-06-15$/));
  check('algorithm', is('X-Amz-Algorithm', /^AWS4-HMAC-SHA256$/));
  // More headers would have to be sent as they were signed, and we know none of them.
  check('signed-headers', is('X-Amz-SignedHeaders', /^host;x-k8s-aws-id$/));
  check('expires', isDuration(parameters.get('X-Amz-Expires') ?? ''));
  const date = parameters.get('X-Amz-Date') ?? '';
  const signedAt = parseDate(date);
  const scope = `/${date.slice(0, 8)}/${region}/sts/aws4_request`;
  const credential = parameters.get('X-Amz-Credential') ?? '';
  const accessKey = credential.slice(0, -scope.length);
  check('credential', credential.endsWith(scope) && /^\w{1,128}$/.test(accessKey));
  check('security-token', !parameters.has(OPTIONAL) || is(OPTIONAL, /^[A-Za-z0-9+/=_-]+$/));
  check('signature', is('X-Amz-Signature', /^[0-9a-f]{64}$/));
  return { host, query: printQuery(parameters), signedAt };
}

/** Exactly one text of base64url stands for given bytes, so a token has one spelling. */
function decode(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  check('encoding', text !== '' && bytes.toString('base64url') === text);
  return bytes.toString('latin1');
}

function parseQuery(query: string): Parameters {
  const parameters = new Map<Parameter, string>();
  for (const part of query.split('&')) {
    const [key, value, ...more] = part.split('=');
    const name = PARAMETERS.find((known) => known === key) ?? refuse('parameters');
    check('parameters', value !== undefined && more.length === 0);
    check('duplicates', !parameters.has(name));
    parameters.set(name, decodeValue(value ?? ''));
  }
  check(
    'parameters',
    PARAMETERS.every((name) => name === OPTIONAL || parameters.has(name)),
  );
  return parameters;
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return refuse('parameters');
  }
}

function printQuery(parameters: Parameters): string {
  return [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function isDuration(text: string): boolean {
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAXIMUM_EXPIRES;
}

/** `20261121T150710Z`, and only a moment that exists. */
function parseDate(text: string): number {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z');
  const time = iso === text ? Number.NaN : Date.parse(iso);
  check('date', !Number.isNaN(time) && new Date(time).toISOString() === iso);
  return time;
}

function check(name: Check, passed: boolean): asserts passed {
  if (!passed) refuse(name);
}

function refuse(name: Check): never {
  throw new RefusedError(name);
}

import { type Check, RefusedError } from './refused-error.ts';

/**
 * A parsed token of `aws eks get-token --cluster-name <id>`: `k8s-aws-v1.`, followed by a URL in base64url. The URL
 * is that of a presigned STS GetCallerIdentity request whose signature covers the header `x-k8s-aws-id: <id>`.
 *
 *   https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Algorithm=…
 *
 * Only the fields parsed here are used, and the request is rebuilt from them.
 */
export interface Token {
  readonly host: string;
  /** The query of the request, rebuilt. */
  readonly query: string;
  /** The time of signing in milliseconds since the Unix epoch, by the clock of the token's creator. */
  readonly signedAt: number;
}

export const PREFIX = 'k8s-aws-v1.';

/** The longest token, in characters: aws-iam-authenticator's limit, which is also EKS'. */
const MAXIMUM_LENGTH = 4_096;

/** In seconds: STS accepts a presigned request for 15 minutes, whatever its expiry. */
const MAXIMUM_EXPIRES = 900;

/**
 * The syntax of the URL. It allows no user, port, fragment or path, and no character that URL parsers treat
 * differently.
 */
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

/** The parameter that only temporary credentials have. */
const OPTIONAL: Parameter = 'X-Amz-Security-Token';

/**
 * Parses a token strictly. `hosts` are the STS hosts that may be called, each with its region.
 *
 * @throws {RefusedError} names the first check that failed.
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
  // Further signed headers would have to be sent with their signed values, which Winnow does not know.
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

/** Decodes base64url. Each byte string has exactly one accepted encoding, so a token has one spelling. */
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

/** Parses a time such as `20261121T150710Z`. Rejects times that do not exist. */
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

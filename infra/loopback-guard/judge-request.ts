import { type Refusal, refusalOf } from './refusal.ts';

/** The head of a request, which is all that the guard reads. */
export interface RequestHead {
  /** The request target as received: a path with its query, or a whole URL. */
  readonly target: string;
  /** Alternating header names and values as received. A header that was sent twice is here twice. */
  readonly rawHeaders: readonly string[];
}

/** The hosts and the scheme by which a server on loopback is addressed. */
export interface GuardOptions {
  /** The scheme of the connection to this server, not of a proxy in front of it. */
  readonly scheme: 'http' | 'https';
  /** Host names without ports that clients may use in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may send requests, such as `http://localhost:4466`, in lower case. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether links of other sites may lead here. Only for files that say nothing about the user. */
  readonly anySite?: boolean;
}

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** `name`, `name:port`, `[address]` or `[address]:port`, without a user, a path or a second colon. */
const AUTHORITY = /^(\[[^\]]*\]|[^[\]:@/?#\s]+)(?::\d{1,5})?$/;
/** A request target that is a whole URL, which clients send to a proxy. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** The values of `Sec-Fetch-Site` for a page of this server, and for a typed address. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Checks whether a web page may have sent a request. Returns the refusal, or undefined. A browser lets every page
 * send requests to loopback, but it sets the host name (`Host`) and the origin of the page (`Origin`,
 * `Sec-Fetch-Site`) itself. Other programs send only `Host`.
 */
export function judgeRequest(head: RequestHead, options: GuardOptions): Refusal | undefined {
  const hosts = valuesOf(head, 'host');
  return (
    judgeHost(hosts, options) ??
    judgeTarget(head.target, options) ??
    judgeOrigins(valuesOf(head, 'origin'), hosts, options) ??
    (options.anySite ? undefined : judgeSites(valuesOf(head, 'sec-fetch-site'))) ??
    judgeBody(head)
  );
}

function judgeHost(hosts: readonly string[], options: GuardOptions): Refusal | undefined {
  const [host] = hosts;
  if (host === undefined) return misdirected('the request has no Host header');
  if (hosts.length > 1) return misdirected(`the request has ${hosts.length} Host headers`);
  return isAllowed(host, options) ? undefined : misdirected(`the Host ${quote(host)} is not allowed`);
}

/** Checks the host of a whole URL, which has precedence over the `Host` header. */
function judgeTarget(target: string, options: GuardOptions): Refusal | undefined {
  const authority = ABSOLUTE.exec(target)?.[1];
  if (authority === undefined || isAllowed(authority, options)) return undefined;
  return misdirected(`the host ${quote(authority)} of the request's URL is not allowed`);
}

function judgeOrigins(
  origins: readonly string[],
  [host = '']: readonly string[],
  { scheme, allowedOrigins = [] }: GuardOptions,
): Refusal | undefined {
  const own = `${scheme}://${host.toLowerCase()}`;
  const foreign = origins.find((origin) => origin !== own && !allowedOrigins.includes(origin));
  return foreign === undefined
    ? undefined
    : refusalOf(
        403,
        `the request comes from a page of ${quote(foreign)}; this server answers only pages of ${own}`,
      );
}

function judgeSites(sites: readonly string[]): Refusal | undefined {
  const foreign = sites.find((site) => !OWN_SITES.has(site));
  return foreign === undefined
    ? undefined
    : refusalOf(403, `the request comes from a page of another origin (Sec-Fetch-Site: ${quote(foreign)})`);
}

/** Refuses a page's body without a type: with one, the browser would send a preflight request first. */
function judgeBody(head: RequestHead): Refusal | undefined {
  const has = (name: string) => valuesOf(head, name).length > 0;
  const isEmpty = valuesOf(head, 'content-length').every((length) => /^0*$/.test(length));
  if (!has('origin') || has('content-type') || (isEmpty && !has('transfer-encoding'))) return undefined;
  return refusalOf(415, 'a page sent a body without a Content-Type: set one, such as application/json');
}

function isAllowed(authority: string, { allowedHosts = [] }: GuardOptions): boolean {
  const name = AUTHORITY.exec(authority)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return LOOPBACK.includes(name) || allowedHosts.some((allowed) => allowed.toLowerCase() === name);
}

function valuesOf({ rawHeaders }: RequestHead, name: string): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

function misdirected(what: string): Refusal {
  const message = `${what}: use 127.0.0.1, localhost or [::1], or start the server with --allowed-hosts`;
  return refusalOf(421, message);
}

/** Quotes a text of a client, which may contain anything, for terminals and logs. */
const quote = (text: string) => JSON.stringify(text.slice(0, 100));

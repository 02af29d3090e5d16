/** A request as the guard reads it: nothing but its head. */
export interface RequestHead {
  /** The request target as it was sent: a path with its query, or a whole URL. */
  readonly target: string;
  /** Header names and values in turn, as they were sent: a header that was sent twice is here twice. */
  readonly rawHeaders: readonly string[];
}

export interface GuardOptions {
  /** Of the connection itself, whatever a proxy in front of it speaks. */
  readonly scheme: 'http' | 'https';
  /** Names that a client may call this server by, beside those of loopback; without port. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Why a request is not answered, in the terms of a Kubernetes `Status`. */
export interface Refusal {
  readonly code: 403 | 415 | 421;
  readonly reason: 'Forbidden' | 'UnsupportedMediaType' | 'MisdirectedRequest';
  readonly message: string;
}

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** `name`, `name:port`, `[address]` or `[address]:port`. A user, a path or a second colon is none of these. */
const AUTHORITY = /^(\[[^\]]*\]|[^[\]:@/?#\s]+)(?::\d{1,5})?$/;
/** A request target that is a whole URL, as clients send it to a proxy. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** What a page of this very server sends, and what a person sends who types its address. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Why a web page may have sent this request, or undefined where none can have. A browser lets every page send requests
 * to loopback; what it says truly of them is the name that it looked up (`Host`) and where the page is from (`Origin`,
 * `Sec-Fetch-Site`). Programs that are no browsers send `Host` alone.
 */
export function judgeRequest(head: RequestHead, options: GuardOptions): Refusal | undefined {
  const hosts = valuesOf(head, 'host');
  return (
    judgeHost(hosts, options) ??
    judgeTarget(head.target, options) ??
    judgeOrigins(valuesOf(head, 'origin'), hosts, options) ??
    judgeSites(valuesOf(head, 'sec-fetch-site')) ??
    judgeBody(head)
  );
}

function judgeHost(hosts: readonly string[], options: GuardOptions): Refusal | undefined {
  const [host] = hosts;
  if (host === undefined) return misdirected('the request has no Host header');
  if (hosts.length > 1) return misdirected(`the request has ${hosts.length} Host headers`);
  return isAllowed(host, options) ? undefined : misdirected(`the Host ${quote(host)} is not allowed`);
}

/** A whole URL counts for more than the `Host` header, so its authority is held to the same names. */
function judgeTarget(target: string, options: GuardOptions): Refusal | undefined {
  const authority = ABSOLUTE.exec(target)?.[1];
  if (authority === undefined || isAllowed(authority, options)) return undefined;
  return misdirected(`the host ${quote(authority)} of the request's URL is not allowed`);
}

function judgeOrigins(
  origins: readonly string[],
  [host = '']: readonly string[],
  { scheme }: GuardOptions,
): Refusal | undefined {
  const own = `${scheme}://${host.toLowerCase()}`;
  const foreign = origins.find((origin) => origin !== own);
  return foreign === undefined
    ? undefined
    : forbidden(`the request comes from a page of ${quote(foreign)}, and only pages of ${own} are answered`);
}

function judgeSites(sites: readonly string[]): Refusal | undefined {
  const foreign = sites.find((site) => !OWN_SITES.has(site));
  return foreign === undefined
    ? undefined
    : forbidden(`the request comes from a page of another origin (Sec-Fetch-Site: ${quote(foreign)})`);
}

/** A page sends a body without a type where a body with one would have the browser ask first. */
function judgeBody(head: RequestHead): Refusal | undefined {
  const has = (name: string) => valuesOf(head, name).length > 0;
  const isEmpty = valuesOf(head, 'content-length').every((length) => /^0*$/.test(length));
  if (!has('origin') || has('content-type') || (isEmpty && !has('transfer-encoding'))) return undefined;
  return {
    code: 415,
    reason: 'UnsupportedMediaType',
    message: 'a page sent a body without a Content-Type: name one, such as application/json',
  };
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
  const message = `${what}: call this server 127.0.0.1, localhost or [::1], or start it with --allowed-hosts`;
  return { code: 421, reason: 'MisdirectedRequest', message };
}

function forbidden(message: string): Refusal {
  return { code: 403, reason: 'Forbidden', message };
}

/** What is quoted was sent by anybody, and goes to terminals and logs. */
const quote = (text: string) => JSON.stringify(text.slice(0, 100));

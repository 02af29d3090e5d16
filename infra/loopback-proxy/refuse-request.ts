import type { IncomingMessage } from 'node:http';
import { type GuardOptions, judgeRequest, type Refusal, refusalOf } from '../loopback-guard/index.ts';

const TOKENS = /\/serviceaccounts\/[^/]+\/token\/?$/i;

/**
 * Returns why the proxy does not pass a request on; undefined if it does. The proxy lends its user's login to every
 * program of this machine. So nothing may keep the login for later or for other users: no tokens and no impersonation.
 */
export function refuseRequest(request: IncomingMessage, guard: GuardOptions): Refusal | undefined {
  const { url = '/', rawHeaders, headers } = request;
  const refusal = judgeRequest({ target: url, rawHeaders }, guard);
  if (refusal !== undefined) return refusal;
  if (Object.keys(headers).some((name) => name.startsWith('impersonate-'))) {
    return refusalOf(
      403,
      'the proxy does not pass on Impersonate headers; send the request to the server itself',
    );
  }
  if (asksForToken(decodedPath(url))) {
    return refusalOf(
      403,
      'the proxy does not pass on requests for tokens; send the request to the server itself',
    );
  }
  return undefined;
}

/** Whether a decoded path is that of the tokens of a service account. */
export function asksForToken(path: string): boolean {
  return TOKENS.test(path);
}

/** The path as a server may read it: without dot segments, doubled slashes and percent-encoding. */
function decodedPath(target: string): string {
  const { pathname } = new URL(target, 'http://localhost');
  try {
    return new URL(decodeURIComponent(pathname), 'http://localhost').pathname.replace(/\/{2,}/g, '/');
  } catch {
    return pathname;
  }
}

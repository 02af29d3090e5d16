import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ConnectOptions } from '@winnow-dev/client/objects';

export interface ForwardOptions extends Pick<ConnectOptions, 'token' | 'fetch'> {
  /** The URL of Winnow. */
  readonly url: string;
  /** The hosts under which browsers know this server: `localhost:3000`. */
  readonly hosts: readonly string[];
}

const API = /^\/(api|apis|openapi|version)(\/|$)/;
/** The headers that a page may set. The token decides who asks, so `Impersonate-User` is not among them. */
const ALLOWED = ['accept', 'audit-id', 'content-type'];
/** The most bytes of a body that Winnow takes. */
const MOST_BYTES = 3 * 1024 * 1024;
const RETURNED = ['content-type', 'retry-after', 'warning'];

/** Passes a page's requests on to Winnow, with the token of this server. Returns false if the path is another one. */
export function forward({ url, hosts, token, fetch: send = fetch }: ForwardOptions) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { pathname, search } = new URL(`http://page${request.url}`);
    if (!API.test(pathname)) return false;
    const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'same-origin' } = request.headers;
    const isOwnPage = [`http://${host}`, `https://${host}`].includes(origin) && site === 'same-origin';
    // Otherwise a page of another site could write with this token. A real server also checks its user's session here.
    if (!hosts.includes(host) || !isOwnPage) {
      response.writeHead(403).end('only pages of this server may ask');
      return true;
    }
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
    if (encoding !== undefined || Number(length) > MOST_BYTES) {
      response.writeHead(413).end('the body is too large, or its length is not given');
      return true;
    }
    const ending = new AbortController();
    response.on('close', () => ending.abort());
    try {
      const { method = 'GET', headers } = request;
      const body = ['GET', 'HEAD'].includes(method) ? null : await buffer(request);
      const ask = async (refused?: string) => {
        const login = typeof token === 'function' ? await token(refused) : token;
        const kept = ALLOWED.map((name) => [name, headers[name]]).filter(([, value]) => value !== undefined);
        const sent = { ...Object.fromEntries(kept), ...(login && { authorization: `Bearer ${login}` }) };
        const options = { method, headers: sent, body, signal: ending.signal, redirect: 'manual' } as const;
        return { login, answer: await send(`${url.replace(/\/$/, '')}${pathname}${search}`, options) };
      };
      let { login, answer } = await ask();
      if (answer.status === 401 && typeof token === 'function') ({ answer } = await ask(login));
      for (const name of RETURNED) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.writeHead(answer.status).flushHeaders();
      await pipeline(Readable.fromWeb(answer.body ?? new Blob([]).stream()), response);
    } catch (error) {
      const isGone = ending.signal.aborted;
      if (!isGone) console.error(`forward: ${request.method} ${pathname}: ${(error as Error).message}`);
      // The page's client repeats a read after a 502. A cut answer stays cut.
      if (!response.headersSent) response.writeHead(502).end();
      response.destroy();
    }
    return true;
  };
}

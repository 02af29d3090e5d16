import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https, { type AgentOptions } from 'node:https';
import { Readable } from 'node:stream';

/** The TLS settings of a request: the trusted authority, and the certificate of the user. */
export interface Identity
  extends Pick<AgentOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'> {}

export interface NodeFetchOptions {
  /** Returns the identity of the next request. */
  readonly identity: () => Promise<Identity>;
  /** Added to each request. */
  readonly headers: OutgoingHttpHeaders;
  /** Called for each answer. */
  readonly answered?: (status: number) => void;
}

/** How long an unused connection stays open, in ms: shorter than the 5 s of Node's servers, as Node's `fetch` does. */
const UNUSED = 4_000;
/** The answers that have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Creates a `fetch` over `node:https`, because Node's own one takes no certificates. It follows no redirect, and a body
 * must be text or bytes.
 */
export function createFetch({ identity, headers, answered }: NodeFetchOptions): typeof fetch {
  let [agent, known]: [https.Agent | undefined, string] = [undefined, ''];
  const plain = new http.Agent({ keepAlive: true, timeout: UNUSED });
  return async (input, init = {}) => {
    const { method = 'GET', body, signal } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
      throw new TypeError('the body must be text or bytes');
    }
    const trust = await identity();
    const text = JSON.stringify(trust);
    // A connection belongs to the certificates that opened it.
    if (text !== known) agent = new https.Agent({ ...trust, keepAlive: true, timeout: UNUSED });
    known = text;
    const isSecure = url.protocol === 'https:';
    const options = {
      method,
      agent: isSecure ? agent : plain,
      ...(signal && { signal }),
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...headers,
        // Node itself does not set the length of the body of a DELETE.
        ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
      },
    };
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isSecure ? https : http).request(url, options, resolve);
      request.on('error', (cause) =>
        reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause })),
      );
      request.end(body ?? undefined);
    });
    return responseOf(message, answered);
  };
}

function responseOf(message: IncomingMessage, answered: NodeFetchOptions['answered']): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
  answered?.(status);
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  if (EMPTY.has(status)) message.resume();
  const body = EMPTY.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

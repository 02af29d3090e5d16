import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type GuardOptions, listenOn, type Refusal, refusalBody } from '../loopback-guard/index.ts';
import { upgradeWatch } from '../websocket-watch/index.ts';
import { refuseRequest } from './refuse-request.ts';

/** The server that the proxy passes requests on to. */
export interface Upstream {
  /** With the path that all requests begin with, if there is one. */
  readonly url: string;
  /** The headers of the login, and the settings of TLS, for one request. */
  credentials(): Promise<RequestOptions>;
  /** Explains in a sentence why a request got no answer. */
  explain(error: unknown): string;
}

export interface ProxyOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly upstream: Upstream;
  /** Host names that clients may use in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may send requests. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

export interface LoopbackProxy {
  readonly url: string;
  /** Stops accepting requests and closes every connection. */
  stop(): Promise<void>;
}

/** The headers of a request that the server needs. Others are of the connection, or of the page in a browser. */
const PASSED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'audit-id',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'if-none-match',
  // Without it, Node would send the body of a DELETE without a frame.
  'transfer-encoding',
  'user-agent',
]);
/** The headers of an answer that belong to one connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Starts a proxy on 127.0.0.1 that adds the login of its user to each request. A request with its own `Authorization`
 * keeps it. Watches may be websockets, which API Gateway does not have.
 *
 * @throws {Error} it cannot listen on the port
 */
export async function openProxy({ port, upstream, ...allowed }: ProxyOptions): Promise<LoopbackProxy> {
  const guard: GuardOptions = { scheme: 'http', ...allowed };
  const sockets = new Set<Duplex>();
  const server = http.createServer({ requireHostHeader: false }, (request, response) => {
    const refusal = refuseRequest(request, guard);
    if (refusal !== undefined) return refuse(response, refusal);
    void forward(request, response, upstream);
  });
  // No limit: a watch may send nothing for a long time.
  server.requestTimeout = 0;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const refusal = refuseRequest(request, guard);
    if (refusal !== undefined) return refuseSocket(socket, refusal);
    const send = (target: string, headers: IncomingHttpHeaders, signal: AbortSignal) =>
      ask({ method: 'GET', target, headers, signal }, upstream);
    void upgradeWatch(request, socket, head, { send });
  });
  const listening = await listenOn(server, port);
  return {
    url: `http://127.0.0.1:${listening}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const { method = 'GET', url: target = '/', headers } = request;
  try {
    const answer = await ask({ method, target, headers, signal: left.signal, body: request }, upstream);
    response.writeHead(answer.statusCode ?? 502, ofAnswer(answer));
    // A watch sends its headers before its first event.
    response.flushHeaders();
    await pipeline(answer, response);
  } catch (error) {
    if (left.signal.aborted || response.headersSent) return void response.destroy();
    refuse(response, { code: 503, reason: 'ServiceUnavailable', message: upstream.explain(error) });
  }
}

interface Question {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
  readonly body?: IncomingMessage;
}

/** Sends a request to the server, and returns the beginning of its answer. */
async function ask(question: Question, { url, credentials }: Upstream): Promise<IncomingMessage> {
  const { method, target, signal, body } = question;
  const { headers: login, ...trust } = await credentials();
  const passed = Object.entries(question.headers).filter(([name]) => PASSED.has(name));
  const { pathname, search } = new URL(target, 'http://localhost');
  const destination = new URL(url);
  destination.pathname = `${destination.pathname.replace(/\/$/, '')}${pathname}`;
  destination.search = search;
  const headers = { ...lowerCased(login), ...Object.fromEntries(passed) };
  const client = destination.protocol === 'https:' ? https : http;
  const sent = client.request(destination, { ...trust, method, headers, signal });
  // An error after the answer has begun is also an error of the answer.
  sent.on('error', () => {});
  (body ?? Readable.from([])).pipe(sent);
  const [answer] = await once(sent, 'response');
  return answer as IncomingMessage;
}

function lowerCased(headers: RequestOptions['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function ofAnswer({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  const body = refusalBody(refusal);
  response.writeHead(refusal.code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

function refuseSocket(socket: Duplex, refusal: Refusal): void {
  const { code } = refusal;
  const body = refusalBody(refusal);
  socket.on('error', () => socket.destroy());
  const head = [
    `HTTP/1.1 ${code} ${http.STATUS_CODES[code]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

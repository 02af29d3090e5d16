import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type GuardOptions,
  type LoopbackServer,
  openServer,
  type Refusal,
  refusalBody,
  sendRefusal,
} from '../loopback-guard/index.ts';
import { type PlainRequest, upgradeWatch } from '../websocket-watch/index.ts';
import { answering, askUpstream, type Upstream } from './ask-upstream.ts';
import { refuseRequest } from './refuse-request.ts';

export interface ProxyOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly upstream: Upstream;
  /** Host names that clients may use in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may send requests. */
  readonly allowedOrigins?: readonly string[] | undefined;
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
export async function openProxy({ port, upstream, ...allowed }: ProxyOptions): Promise<LoopbackServer> {
  const guard: GuardOptions = { scheme: 'http', ...allowed };
  const sockets = new Set<Duplex>();
  const server = http.createServer({ requireHostHeader: false }, (request, response) => {
    const refusal = refuseRequest(request, guard);
    if (refusal !== undefined) return sendRefusal(response, refusal);
    void forward(request, response, upstream);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const refusal = refuseRequest(request, guard);
    if (refusal !== undefined) return refuseSocket(socket, refusal);
    const send = ({ headers, ...plain }: PlainRequest) =>
      askUpstream({ ...plain, headers: passedOf(headers) }, upstream);
    void upgradeWatch(request, socket, head, { send });
  });
  const { url, stop } = await openServer(server, port);
  return {
    url,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await stop();
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
): Promise<void> {
  const { method = 'GET', url: target = '/', headers } = request;
  await answering(response, upstream, async (signal) => {
    const asked = { method, target, headers: passedOf(headers), signal, body: request };
    const answer = await askUpstream(asked, upstream);
    response.writeHead(answer.statusCode ?? 502, ofAnswer(answer));
    // A watch sends its headers before its first event.
    response.flushHeaders();
    await pipeline(answer, response);
  });
}

function passedOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PASSED.has(name)));
}

function ofAnswer({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
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

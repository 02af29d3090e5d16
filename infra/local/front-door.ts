import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../lib/platform/index.ts';
import { type GuardOptions, guarded, judgeRequest, listenOn, refusalBody } from '../loopback-guard/index.ts';
import { type PlainRequest, upgradeWatch } from '../websocket-watch/index.ts';
import { type Definition, findRoute, type Route } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { gatewayAnswer } from './gateway-answer.ts';
import { GatewayError } from './gateway-error.ts';
import type { Guard } from './login.ts';
import { sendChunk, sendHead, sendRaw, sendResult } from './outgoing.ts';
import { toProxyEvent } from './proxy-event.ts';
import { ResponseStream } from './response-streaming.ts';
import { certificateUser, type Tls } from './trust/index.ts';

export interface FrontDoorOptions {
  readonly definition: Definition;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly logger: Logger;
  /** 0 picks a free port. */
  readonly port: number;
  /** Authenticates requests; absent if no token is required. */
  readonly guard?: Guard | undefined;
  /** Absent for plain HTTP. */
  readonly tls?: Tls | undefined;
  /** The authorities of client certificates, as PEM; absent if no certificate is a login. */
  readonly clientAuthority?: string | undefined;
  /** Host names that clients may use in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** The local counterpart of API Gateway, on loopback only. */
export interface FrontDoor {
  readonly url: string;
  /**
   * Stops accepting requests, closes every open connection, and destroys the streams of answers, so that functions that
   * write to them end.
   */
  stop(): Promise<void>;
}

/** API Gateway's limit for request bodies. */
const MAX_BODY = 10 * 1024 * 1024;
const KEEP_ALIVE = 75_000;
/** An HTTP request line with any method. */
const REQUEST_LINE = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** Starts the local counterpart of API Gateway. */
export async function openFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const streams = new Set<ResponseStream>();
  const closing = new AbortController();
  const callers = {
    scheme: options.tls === undefined ? 'http' : 'https',
    allowedHosts: options.allowedHosts,
  } as const;
  const listener: RequestListener = (request, response) => {
    const answering = { ...options, streams, closing: closing.signal, requestId: randomUUID() };
    answer(request, response, answering).catch((error: unknown) => refuse(response, error, answering));
  };
  const server = createServer(options, guarded(listener, callers));
  // No limit: a watch may send nothing for a long time, and the function's deadline ends it for a stalled client.
  server.requestTimeout = 0;
  // Longer than clients keep idle connections, so that no client reuses one that is being closed.
  server.keepAliveTimeout = KEEP_ALIVE;
  refuseWhatIsNoRequest(server, options.definition, callers);
  const port = await listenOn(server, options.port);
  const websockets = openWebsockets(server, { port, secure: options.tls !== undefined });
  return {
    url: `${callers.scheme}://127.0.0.1:${port}`,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      closing.abort();
      for (const open of [...streams, ...websockets]) open.destroy();
      await closed;
    },
  };
}

type Server = http.Server | https.Server;

function createServer(
  { tls, clientAuthority }: Pick<FrontDoorOptions, 'tls' | 'clientAuthority'>,
  listener: RequestListener,
): Server {
  // The guard answers a request without Host with a message; Node's own answer is empty.
  const options = { requireHostHeader: false };
  if (tls === undefined) return http.createServer(options, listener);
  const { certificate: cert, key } = tls;
  // The guard decides about clients without a certificate, or with one of another authority.
  const clients = clientAuthority && { requestCert: true, rejectUnauthorized: false, ca: clientAuthority };
  return https.createServer({ ...options, cert, key, minVersion: 'TLSv1.2', ...clients }, listener);
}

/** Answers tunnels, unknown methods and data that is not HTTP, for which Node provides no response. */
function refuseWhatIsNoRequest(server: Server, definition: Definition, callers: GuardOptions): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  const refuseRaw = (socket: Duplex, type: string) =>
    sendRaw(socket, gatewayAnswer(definition, type, randomUUID()));
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    answering.set(request.socket, response),
  );
  server.on('connect', ({ url = '', rawHeaders }: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const refusal = judgeRequest({ target: url, rawHeaders }, callers);
    if (refusal === undefined) return refuseRaw(socket, 'MISSING_AUTHENTICATION_TOKEN');
    const headers = { 'content-type': 'application/json' };
    sendRaw(socket, { status: refusal.code, headers, body: refusalBody(refusal) });
  });
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    const current = answering.get(socket);
    // Do not write into an answer that has begun.
    if (current?.headersSent && !current.writableFinished) {
      socket.destroy();
    } else {
      refuseRaw(socket, hasUnknownMethod(error) ? 'MISSING_AUTHENTICATION_TOKEN' : 'DEFAULT_4XX');
    }
  });
}

interface Own {
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Answers requests for websockets, which API Gateway's REST APIs do not have. The server sends each request to itself
 * without the websocket, so the guard, the login and the functions handle it like any other request.
 *
 * @returns the connections that are open
 */
function openWebsockets(server: Server, { port, secure }: Own): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  const send = async ({ method, target: path, headers, signal }: PlainRequest) => {
    // The connection is to this server itself, so its certificate is not verified.
    const own = { host: '127.0.0.1', port, method, path, headers, signal, agent: false };
    const sent = secure ? https.request({ ...own, rejectUnauthorized: false }) : http.request(own);
    sent.end();
    const [answer] = await once(sent, 'response');
    // Ignore errors here: after the answer has begun, its reader sees the error too.
    sent.on('error', () => {});
    return answer as IncomingMessage;
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void upgradeWatch(request, socket, head, { send });
  });
  return sockets;
}

/** Node's error for a request that it cannot parse. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

function hasUnknownMethod({ code, rawPacket }: ParseError): boolean {
  return code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(rawPacket?.toString('latin1') ?? '');
}

interface Answering extends FrontDoorOptions {
  readonly requestId: string;
  /** The streams of answers that functions are writing. */
  readonly streams: Set<ResponseStream>;
  readonly closing: AbortSignal;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: Answering): Promise<void> {
  const { definition, runtime, requestId } = options;
  const route = findRoute(definition, request.method ?? '', request.url ?? '/');
  if (!route) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  const authorizer = await options.guard?.({
    method: request.method ?? '',
    path: request.url ?? '/',
    authorization: request.headers.authorization,
    certified: options.clientAuthority === undefined ? undefined : certificateUser(request.socket),
  });
  const event = toProxyEvent(
    {
      method: request.method ?? '',
      target: request.url ?? '/',
      rawHeaders: request.rawHeaders,
      body: await readBody(request),
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      requestId,
      secure: options.tls !== undefined,
      time: Date.now(),
      authorizer,
    },
    definition,
  );
  if (route.streams) return stream(route, event, response, options);
  const result = await inTime(runtime.invoke(route.functionName, event), route);
  sendResult(response, result, request, definition);
}

/** The error for a client that closed the connection before it had sent the whole request. */
class AbandonedError extends Error {}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Read to the end: otherwise the client would see a reset instead of the answer.
      if (bytes <= MAX_BODY) chunks.push(chunk);
    }
  } catch (error) {
    throw new AbandonedError('the client left', { cause: error });
  }
  if (bytes > MAX_BODY) throw new GatewayError('REQUEST_TOO_LARGE');
  return Buffer.concat(chunks);
}

/**
 * Streams the handler's answer. As on AWS, the handler does not learn that its client has left: its output is
 * discarded, and it runs until its own end.
 */
async function stream(
  route: Route,
  event: unknown,
  response: ServerResponse,
  { runtime, streams, closing }: Answering,
): Promise<void> {
  const responseStream = new ResponseStream({
    head: (metadata) => sendHead(response, metadata),
    write: (chunk) => sendChunk(response, chunk),
  });
  streams.add(responseStream);
  // The handler sees errors of the stream. Without a listener they would end the process.
  responseStream.on('error', () => {});
  try {
    await runtime.invoke(route.functionName, event, responseStream);
    if (!responseStream.begun) throw new Error('the handler wrote no response');
    response.end();
  } catch (error) {
    if (!closing.aborted) throw new GatewayError('DEFAULT_5XX', error);
  } finally {
    streams.delete(responseStream);
    responseStream.destroy();
  }
}

async function inTime<T>(work: Promise<T>, { timeout }: Route): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new GatewayError('INTEGRATION_TIMEOUT')), timeout);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers with the template's gateway responses. An answer that has begun can only be aborted. */
function refuse(response: ServerResponse, error: unknown, options: Answering): void {
  if (error instanceof AbandonedError) {
    response.destroy();
    return;
  }
  const { definition, logger, requestId } = options;
  const type = error instanceof GatewayError ? error.type : 'DEFAULT_5XX';
  if (type === 'DEFAULT_5XX') logger.error('a function failed to answer', { error: cause(error) });
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = gatewayAnswer(definition, type, requestId);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function cause(error: unknown): unknown {
  return error instanceof GatewayError ? error.cause : error;
}

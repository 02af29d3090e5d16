import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Logger } from '../../lib/platform/index.ts';
import type { Definition, Route } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { GatewayError } from './gateway-error.ts';
import type { Guard } from './login.ts';
import { toProxyEvent } from './proxy-event.ts';
import { type ResponseMetadata, ResponseStream } from './response-streaming.ts';

export interface FrontDoorOptions {
  readonly definition: Definition;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly logger: Logger;
  /** 0 takes a free one. */
  readonly port: number;
  /** Without it nobody is asked for a token. */
  readonly guard?: Guard | undefined;
}

/** What API Gateway is to the deployed stack, on loopback only. */
export interface FrontDoor {
  readonly url: string;
  /** Takes no more requests and cuts every open connection. */
  stop(): Promise<void>;
}

/** API Gateway refuses longer request bodies. */
const MAX_BODY = 10 * 1024 * 1024;
const KEEP_ALIVE = 75_000;

export async function openFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const server = createServer((request, response) => {
    const requestId = randomUUID();
    answer(request, response, { ...options, requestId }).catch((error: unknown) =>
      refuse(response, error, { ...options, requestId }),
    );
  });
  // A watch may be quiet for long, and a stalled client is cut by the function's own deadline.
  server.requestTimeout = 0;
  // Longer than clients keep idle connections, or one is reused just as it is being closed.
  server.keepAliveTimeout = KEEP_ALIVE;
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the front door has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answering extends FrontDoorOptions {
  readonly requestId: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: Answering): Promise<void> {
  const { definition, runtime, requestId } = options;
  const route = definition.routes.get(request.method ?? '') ?? definition.routes.get('ANY');
  if (!route) throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  await options.guard?.({
    method: request.method ?? '',
    path: request.url ?? '/',
    authorization: request.headers.authorization,
  });
  const event = toProxyEvent(
    {
      method: request.method ?? '',
      target: request.url ?? '/',
      rawHeaders: request.rawHeaders,
      body: await readBody(request),
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      requestId,
      time: Date.now(),
    },
    definition,
  );
  if (route.streams) return stream(route, event, response, runtime);
  const result = await inTime(runtime.invoke(route.functionName, event), route);
  sendResult(response, result, request, definition);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read on to the end, or the client would see a reset instead of the answer.
    if (bytes <= MAX_BODY) chunks.push(chunk);
  }
  if (bytes > MAX_BODY) throw new GatewayError('REQUEST_TOO_LARGE');
  return Buffer.concat(chunks);
}

/** Streams the handler's answer, and destroys its stream as soon as the client is gone. */
async function stream(
  route: Route,
  event: unknown,
  response: ServerResponse,
  runtime: Pick<FunctionRuntime, 'invoke'>,
): Promise<void> {
  const responseStream = new ResponseStream({
    head: (metadata) => sendHead(response, metadata),
    write: (chunk) => writeChunk(response, chunk),
  });
  // Errors of the stream are the handler's to see; without a listener they would end the process.
  responseStream.on('error', () => {});
  response.once('close', () => responseStream.destroy());
  try {
    await runtime.invoke(route.functionName, event, responseStream);
    if (!response.headersSent) throw new Error('the handler wrote no response');
    response.end();
  } catch (error) {
    if (!response.destroyed) throw new GatewayError('DEFAULT_5XX', error);
  } finally {
    responseStream.destroy();
  }
}

function sendHead(response: ServerResponse, metadata: ResponseMetadata | APIGatewayProxyResult): void {
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries(metadata.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(metadata.multiValueHeaders ?? {})) {
    response.setHeader(name, values.map(String));
  }
  response.writeHead(metadata.statusCode ?? 200).flushHeaders();
}

async function writeChunk(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed) throw new Error('the client is gone');
  if (chunk.length === 0 || response.write(chunk)) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    await once(response, 'drain', { signal: gone.signal });
  } finally {
    response.off('close', leave);
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

function sendResult(
  response: ServerResponse,
  value: unknown,
  request: IncomingMessage,
  { binaryMediaTypes }: Definition,
): void {
  const result = value as APIGatewayProxyResult | undefined;
  if (!Number.isInteger(result?.statusCode)) throw new Error('malformed proxy response');
  if (!result) return;
  // API Gateway decodes base64 only for a client whose first accepted type is binary.
  const accepted = request.headers.accept?.split(',')[0]?.split(';')[0]?.trim() ?? '';
  const isBinary = result.isBase64Encoded === true && binaryMediaTypes.includes(accepted);
  const body = Buffer.from(result.body ?? '', isBinary ? 'base64' : 'utf8');
  response.setHeader('content-length', body.length);
  sendHead(response, result);
  response.end(body);
}

/** Answers as the template's gateway responses do; an answer that has begun can only be cut. */
function refuse(response: ServerResponse, error: unknown, options: Answering): void {
  const { definition, logger, requestId } = options;
  const type = error instanceof GatewayError ? error.type : 'DEFAULT_5XX';
  if (type === 'DEFAULT_5XX') logger.error('a function failed to answer', { error: cause(error) });
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const found = definition.answers.get(type) ?? { status: 500, headers: {}, body: '' };
  const headers = Object.entries(found.headers).map(([name, value]) => [name, mapped(value, requestId)]);
  response
    .writeHead(found.status, { 'content-type': 'application/json', ...Object.fromEntries(headers) })
    .end(found.body);
}

/** A header's value as a gateway response maps it. */
function mapped(expression: string, requestId: string): string {
  return expression === 'context.requestId' ? requestId : expression.slice(1, -1);
}

function cause(error: unknown): unknown {
  return error instanceof GatewayError ? error.cause : error;
}

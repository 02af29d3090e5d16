import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Definition } from './definition.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { ResponseMetadata } from './response-streaming.ts';

/*
 * Writes answers to clients. Answers to a client that has left are discarded without an error, as API Gateway does.
 */

export function sendHead(response: ServerResponse, metadata: ResponseMetadata | APIGatewayProxyResult): void {
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries(metadata.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(metadata.multiValueHeaders ?? {})) {
    response.setHeader(name, values.map(String));
  }
  response.writeHead(metadata.statusCode ?? 200).flushHeaders();
}

/** Writes a chunk. Resolves when more may be written, because the client has read enough or has left. */
export async function sendChunk(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed || chunk.length === 0 || response.write(chunk)) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    await once(response, 'drain', { signal: gone.signal });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
  }
}

/**
 * Sends the buffered answer of a function.
 *
 * @throws {Error} the answer is not a proxy result
 */
export function sendResult(
  response: ServerResponse,
  value: unknown,
  request: IncomingMessage,
  { binaryMediaTypes }: Pick<Definition, 'binaryMediaTypes'>,
): void {
  const result = value as APIGatewayProxyResult | undefined;
  if (!result || !Number.isInteger(result.statusCode)) throw new Error('malformed proxy response');
  if (response.destroyed) return;
  // API Gateway decodes base64 only for a client whose first accepted type is binary.
  const accepted = request.headers.accept?.split(',')[0]?.split(';')[0]?.trim() ?? '';
  const isBinary = result.isBase64Encoded === true && binaryMediaTypes.includes(accepted);
  const body = Buffer.from(result.body ?? '', isBinary ? 'base64' : 'utf8');
  response.setHeader('content-length', body.length);
  sendHead(response, result);
  response.end(body);
}

/** Writes an answer to a connection for which Node has no response object, and closes it. */
export function sendRaw(socket: Duplex, { status, headers, body }: GatewayAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

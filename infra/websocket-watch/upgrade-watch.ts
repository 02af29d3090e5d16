import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocket, WebSocketServer } from 'ws';

export interface UpgradeOptions {
  /** Sends the request without an upgrade of its connection. */
  send(request: PlainRequest): Promise<IncomingMessage>;
}

/** A request without a body. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
}

/** A browser cannot set a header of a websocket, so a client sends its token as a protocol. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';
/** Headers of one connection, and of the websocket itself. */
const OWN_HEADERS = /^(connection|upgrade|keep-alive|te|expect|sec-websocket-.*)$/;

/** The most bytes of a frame from a client. A watch reads no frames. */
const MOST_FROM_CLIENT = 1024;

const SERVER = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MOST_FROM_CLIENT,
  handleProtocols: (protocols) => [...protocols].find(isNoToken) ?? false,
});

/**
 * Answers a request for a websocket as kube-apiserver does (k8s.io/apiserver/pkg/endpoints/handlers/watch.go). It sends
 * the same request without a websocket, and then each line of the answer as a text frame. If the answer is not a stream
 * of events, this function refuses the websocket. A request for SPDY, by which kubectl attaches to a pod, is refused
 * with the answer to its POST. Never rejects.
 */
export async function upgradeWatch(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { send }: UpgradeOptions,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  // Node leaves the other half of the connection open when a client ends its own.
  for (const event of ['error', 'end', 'close']) socket.on(event, leave);
  try {
    const headers = forwarded(request.headers);
    const method = isSpdy(request) ? 'POST' : 'GET';
    const answer = await send({ method, target: request.url ?? '/', headers, signal: left.signal });
    if (answer.statusCode !== 200 || !isWatch(request.url)) return await refuse(socket, answer);
    SERVER.handleUpgrade(request, socket, head, (websocket) => {
      forwardLines(answer, websocket).catch(() => websocket.terminate());
    });
  } catch {
    socket.destroy();
  }
}

async function forwardLines(answer: IncomingMessage, websocket: WebSocket): Promise<void> {
  websocket.on('close', () => answer.destroy());
  websocket.on('error', () => answer.destroy());
  for await (const line of createInterface({ input: answer })) {
    // An empty line keeps an HTTP connection open. A websocket has frames for that purpose, so the line is left out.
    if (line === '' || websocket.readyState !== WebSocket.OPEN) continue;
    await new Promise<void>((resolve) => websocket.send(line, () => resolve()));
  }
  websocket.close(1000);
}

function isNoToken(protocol: string): boolean {
  return !protocol.startsWith(BEARER);
}

/** Returns the token that a client sent as a protocol. */
function tokenOf(protocols = ''): string | undefined {
  const encoded = protocols
    .split(',')
    .map((one) => one.trim())
    .find((one) => !isNoToken(one));
  return encoded && Buffer.from(encoded.slice(BEARER.length), 'base64url').toString();
}

function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
  const token = tokenOf(headers['sec-websocket-protocol']);
  const { authorization = token === undefined ? undefined : `Bearer ${token}` } = headers;
  return { ...Object.fromEntries(kept), ...(authorization !== undefined && { authorization }) };
}

/** kubectl asks for SPDY where a websocket was refused. Only such a POST has no body. */
function isSpdy({ method, headers: { upgrade = '' } }: IncomingMessage): boolean {
  return method === 'POST' && upgrade.toLowerCase().startsWith('spdy/');
}

function isWatch(target = ''): boolean {
  const value = new URL(target, 'http://localhost').searchParams.get('watch');
  return value !== null && value !== '0' && value !== 'false';
}

/** Sends an answer that opens no websocket, and closes the connection. */
async function refuse(socket: Duplex, answer: IncomingMessage): Promise<void> {
  const { statusCode = 500, statusMessage = '', headers } = answer;
  const lines = Object.entries(headers)
    .filter(([name]) => name !== 'connection' && name !== 'transfer-encoding')
    .map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}connection: close\r\n\r\n`);
  // A socket that is not read does not notice that its client leaves.
  socket.resume();
  await pipeline(answer, socket);
}

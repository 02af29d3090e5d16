import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

export interface UpgradeOptions {
  /**
   * Sends the request for the watch without a websocket.
   *
   * @param target path and query
   */
  send(target: string, headers: IncomingHttpHeaders, signal: AbortSignal): Promise<IncomingMessage>;
}

/** A browser cannot set a header of a websocket, so a client sends its token as a protocol. */
const BEARER = 'base64url.bearer.authorization.k8s.io.';
/** Headers of one connection, and of the websocket itself. */
const OWN_HEADERS = /^(connection|upgrade|keep-alive|te|expect|sec-websocket-.*)$/;

/**
 * Answers a request for a websocket as kube-apiserver does (k8s.io/apiserver/pkg/endpoints/handlers/watch.go). It sends the
 * same request without a websocket, and then each line of the answer as a text frame. Any other answer than a stream of
 * events refuses the websocket. Never rejects.
 */
export async function upgradeWatch(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { send }: UpgradeOptions,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  socket.on('error', leave);
  socket.on('close', leave);
  try {
    const { protocols, token } = readProtocols(request.headers['sec-websocket-protocol']);
    const headers = forwarded(request.headers, token);
    const answer = await send(request.url ?? '/', headers, left.signal);
    if (answer.statusCode !== 200 || !isWatch(request.url)) return await refuse(socket, answer);
    const [protocol] = protocols;
    const server = new WebSocketServer({ noServer: true, handleProtocols: () => protocol ?? false });
    server.handleUpgrade(request, socket, head, (websocket) => {
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
    // An empty line keeps an HTTP connection open. A websocket has frames for that.
    if (line === '' || websocket.readyState !== WebSocket.OPEN) continue;
    await new Promise<void>((resolve) => websocket.send(line, () => resolve()));
  }
  websocket.close(1000);
}

interface Protocols {
  /** The protocols that are no token, in the client's order. */
  readonly protocols: readonly string[];
  readonly token: string | undefined;
}

function readProtocols(header: string | undefined): Protocols {
  const all = (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const encoded = all.find((one) => one.startsWith(BEARER))?.slice(BEARER.length);
  return {
    protocols: all.filter((one) => !one.startsWith(BEARER)),
    token: encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString(),
  };
}

function forwarded(headers: IncomingHttpHeaders, token: string | undefined): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
  const { authorization = token === undefined ? undefined : `Bearer ${token}` } = headers;
  return { ...Object.fromEntries(kept), ...(authorization !== undefined && { authorization }) };
}

function isWatch(target = ''): boolean {
  const value = new URL(target, 'http://localhost').searchParams.get('watch');
  return value !== null && value !== '0' && value !== 'false';
}

/** Sends an answer that opens no websocket, and closes the connection. */
async function refuse(socket: Duplex, answer: IncomingMessage): Promise<void> {
  const { statusCode = 500, statusMessage = '', headers } = answer;
  const isStream = statusCode === 200 && headers['content-length'] === undefined;
  const lines = Object.entries(headers)
    .filter(([name]) => name !== 'connection' && name !== 'transfer-encoding')
    .map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}connection: close\r\n\r\n`);
  answer.pipe(socket);
  if (isStream) await once(answer, 'end');
}

import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';

/** Reasons why a server cannot listen on a port, by error code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
};

/**
 * Makes a server listen on loopback; port 0 picks a free one. Resolves to the port.
 *
 * @throws {Error} the server cannot listen; the message names the port and the reason.
 */
export async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`cannot listen on port ${port} of 127.0.0.1: ${REASONS[code] ?? message}`, {
      cause: error,
    });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A running server on loopback. */
export interface LoopbackServer {
  readonly url: string;
  /** Stops accepting requests and closes every connection. */
  stop(): Promise<void>;
}

/**
 * Opens an HTTP server on loopback; port 0 picks a free one. A request has no time limit, because a watch may send
 * nothing for a long time.
 *
 * @throws {Error} as {@link listenOn}.
 */
export async function openServer(server: HttpServer, port: number): Promise<LoopbackServer> {
  server.requestTimeout = 0;
  const listening = await listenOn(server, port);
  return {
    url: `http://127.0.0.1:${listening}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Checks early that a port is free, before a slow start.
 *
 * @throws {Error} as {@link listenOn}.
 */
export async function assertFree(port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await listenOn(server, port);
  server.close();
  await once(server, 'close');
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** What keeps a program from a port, in words. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
};

/**
 * Has a server listen on loopback, on a free port where 0 is asked for. Resolves to the port.
 *
 * @throws {Error} which port cannot be had, and why.
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

/**
 * Rejects as {@link listenOn} would, so that what takes long to start need not be begun.
 *
 * @throws {Error} which port cannot be had, and why.
 */
export async function assertFree(port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await listenOn(server, port);
  server.close();
  await once(server, 'close');
}

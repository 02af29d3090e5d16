import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Listening {
  readonly url: string;
  /** Cuts every open connection. */
  stop(): Promise<void>;
}

/** Has a server listen on a free port of loopback. */
export async function listen(server: Server): Promise<Listening> {
  // A connection that is closed just as its client uses it again would be a fault that no test asked for.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

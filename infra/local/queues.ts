import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { buildApp } from 'fauxqs';
import { guarded, listenOn } from '../loopback-guard/index.ts';

/** SQS for a local run: embedded in this process and in memory only, or another endpoint. */
export interface Queues {
  readonly endpoint: string;
  /** Whether it is the embedded one, which starts empty. */
  readonly embedded: boolean;
  stop(): Promise<void>;
}

export interface QueuesOptions {
  readonly region: string;
  /** The endpoint of a running SQS, whose queues outlive this process. */
  readonly endpoint?: string | undefined;
  /** The file that stores the port of the embedded SQS for the next run. */
  readonly portFile?: string | undefined;
  /** Host names for the embedded SQS in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Longer than clients keep idle connections, so that no client reuses one that is being closed. */
const KEEP_ALIVE = 75_000;

/**
 * Starts the embedded SQS on loopback, unless an endpoint is given. It uses the port of the last run if that is still
 * free, so that consumers keep their URL after a restart.
 */
export async function startQueues(options: QueuesOptions): Promise<Queues> {
  if (options.endpoint) return { endpoint: options.endpoint, embedded: false, stop: async () => {} };
  const app = buildApp({ logger: false, defaultRegion: options.region });
  app.addHook('onSend', async (request, _reply, payload) =>
    typeof payload === 'string' ? onLoopback(payload, request.headers.host) : payload,
  );
  await app.ready();
  // The library's own server has no guard and listens on every interface.
  const callers = { scheme: 'http', allowedHosts: options.allowedHosts } as const;
  const server = createServer({ requireHostHeader: false }, guarded(app.routing, callers));
  server.keepAliveTimeout = KEEP_ALIVE;
  const port = await listenAgain(server, options.portFile);
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await app.close();
    await closed;
  };
  return { endpoint: `http://127.0.0.1:${port}`, embedded: true, stop };
}

/** Listens on the port in the file, or on a free one. Stores the port in the file. */
async function listenAgain(server: Server, file: string | undefined): Promise<number> {
  const last = file === undefined ? 0 : Number(await readFile(file, 'utf8').catch(() => 0));
  const port = await listenOn(server, last).catch(() => listenOn(server, 0));
  if (file !== undefined && port !== last) await writeFile(file, String(port));
  return port;
}

/**
 * Replaces the host in queue URLs by the one that the client used. The emulator's URLs have a host like
 * `sqs.us-east-1.localhost`, which many systems cannot resolve, and the SDK sends requests to the host in the URL.
 */
function onLoopback(payload: string, host = '127.0.0.1'): string {
  return payload.replaceAll(/("QueueUrls?":\s*\[?[^\]}]*)/g, (urls) =>
    urls.replaceAll(/http:\/\/sqs\.[a-z0-9-]+\.localhost(:\d+)?\//g, `http://${host}/`),
  );
}

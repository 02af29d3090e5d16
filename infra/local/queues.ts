import { buildApp } from 'fauxqs';

/** SQS: the embedded one, which is in this process and in memory only, or another. */
export interface Queues {
  readonly endpoint: string;
  /** Whether it began empty, with this process. */
  readonly embedded: boolean;
  stop(): Promise<void>;
}

export interface QueuesOptions {
  readonly region: string;
  /** Of an SQS that runs already: its queues outlive this process. */
  readonly endpoint?: string | undefined;
}

/** Starts SQS on a free port of loopback, unless there is one. */
export async function startQueues(options: QueuesOptions): Promise<Queues> {
  if (options.endpoint) return { endpoint: options.endpoint, embedded: false, stop: async () => {} };
  // Not the library's own start function: that listens on every interface.
  const app = buildApp({ logger: false, defaultRegion: options.region });
  app.addHook('onSend', async (request, _reply, payload) =>
    typeof payload === 'string' ? onLoopback(payload, request.headers.host) : payload,
  );
  const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  return { endpoint, embedded: true, stop: () => app.close() };
}

/**
 * The emulator's queue URLs name a host like `sqs.us-east-1.localhost`, which many systems cannot resolve, and
 * the SDK sends to the host that a queue's URL names. So say the host that the client reached.
 */
function onLoopback(payload: string, host = '127.0.0.1'): string {
  return payload.replaceAll(/("QueueUrls?":\s*\[?[^\]}]*)/g, (urls) =>
    urls.replaceAll(/http:\/\/sqs\.[a-z0-9-]+\.localhost(:\d+)?\//g, `http://${host}/`),
  );
}

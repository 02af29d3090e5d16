import { buildApp } from 'fauxqs';

/** The embedded SQS: in this process, in memory only. */
export interface Queues {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Starts SQS on a free port of loopback. */
export async function startQueues(options: { readonly region: string }): Promise<Queues> {
  // Not the library's own start function: that listens on every interface.
  const app = buildApp({ logger: false, defaultRegion: options.region });
  app.addHook('onSend', async (request, _reply, payload) =>
    typeof payload === 'string' ? onLoopback(payload, request.headers.host) : payload,
  );
  const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
  return { endpoint, stop: () => app.close() };
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

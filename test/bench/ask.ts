import { isStreaming, ResponseStream } from '../../infra/local/response-streaming.ts';

const context = { awsRequestId: 'first', functionName: 'bench', getRemainingTimeInMillis: () => 25_000 };

/** Hands a handler one event, as Lambda does: what it returned, or the status and headers of what it streamed. */
export async function ask(
  handler: (...given: unknown[]) => Promise<unknown>,
  event: unknown,
): Promise<unknown> {
  const streams: boolean = isStreaming(handler);
  if (!streams) return handler(event, context);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  await handler(event, new ResponseStream({ head: resolve, write: async () => {} }), context);
  return promise;
}

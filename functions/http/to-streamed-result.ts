import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { ApiResponse } from '../../lib/api/index.ts';

/** What middy's streaming mode sends: status and headers at once, then the body as the client takes it. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string | Readable;
}

/** The response as a stream. `abandon` is called when the body has ended, or when the client has gone. */
export function toStreamedResult(
  { status, headers, body }: ApiResponse,
  abandon: () => void,
): StreamedResult {
  if (typeof body === 'string') {
    return { statusCode: status, headers, body };
  }
  const stream = body instanceof Uint8Array ? Readable.from(Buffer.from(body)) : lineStream(body, abandon);
  return { statusCode: status, headers, body: stream };
}

/**
 * One line at a time, each as soon as it is there, and no faster than they are taken. Unlike `Readable.from`
 * it does not wait for the line under way before it tells that it was destroyed. Lines are made in the context that
 * they were asked for in, or what is logged meanwhile would not know its request.
 */
function lineStream(lines: AsyncIterable<string>, abandon: () => void): Readable {
  const iterator = lines[Symbol.asyncIterator]();
  const inContext = AsyncLocalStorage.snapshot();
  return new Readable({
    read() {
      inContext(() => iterator.next()).then(
        ({ done, value }) => this.push(done === true ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      abandon();
      iterator.return?.().catch(() => undefined);
      callback(error);
    },
  });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/platform/index.ts';
import type { ApiResponse } from '../../lib/server/index.ts';

/**
 * How long a full stream may stand still, in ms. API Gateway takes 2 MB a second at the least; a connection on which
 * nothing moves for so long is dead, and its function would be paid for until its time is up.
 */
const BLOCKED = 60_000;

/** What middy's streaming mode sends: status and headers at once, then the body as the client takes it. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string | Readable;
}

export interface StreamingOptions {
  readonly clock: Clock;
  /** Called when the body is over: it has ended, a write failed, or nothing was taken for a minute. */
  over(): void;
}

/** The response as a stream. Nobody tells a function that its client left; only a write can fail or be blocked. */
export function toStreamedResult(
  { status, headers, body }: ApiResponse,
  options: StreamingOptions,
): StreamedResult {
  if (typeof body === 'string') return { statusCode: status, headers, body };
  const stream = body instanceof Uint8Array ? Readable.from(Buffer.from(body)) : lineStream(body, options);
  return { statusCode: status, headers, body: stream };
}

/**
 * One line at a time, each as soon as it is there, and no faster than they are taken. Unlike `Readable.from`
 * it does not wait for the line under way before it tells that it was destroyed. Lines are made in the context that
 * they were asked for in, or what is logged meanwhile would not know its request.
 */
function lineStream(lines: AsyncIterable<string>, { clock, over }: StreamingOptions): Readable {
  const iterator = lines[Symbol.asyncIterator]();
  const inContext = AsyncLocalStorage.snapshot();
  let taken = new AbortController();
  const endIfBlocked = async (stream: Readable) => {
    taken.abort();
    taken = new AbortController();
    const { signal } = taken;
    await clock.sleep(BLOCKED, signal);
    if (!signal.aborted) stream.destroy(new Error(`nothing was taken for ${BLOCKED / 1_000} s`));
  };
  return new Readable({
    read() {
      taken.abort();
      inContext(() => iterator.next()).then(
        ({ done, value }) => {
          const isFull = !this.push(done === true ? null : value);
          if (isFull && done !== true) void endIfBlocked(this);
        },
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      taken.abort();
      over();
      iterator.return?.().catch(() => undefined);
      callback(error);
    },
  });
}

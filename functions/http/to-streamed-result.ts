import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/platform/index.ts';
import type { ApiResponse } from '../../lib/server/index.ts';

/**
 * How long a full stream may wait for its reader, in ms. API Gateway reads at least 2 MB per second, so a connection
 * that waits longer is dead. Without the limit its function would cost money until its timeout.
 */
const BLOCKED = 60_000;

/** The most characters of a text that middy writes at once. */
const WRITTEN_AT_ONCE = 16 * 1024;
/** The characters of one part of a longer text. */
const PART = 256 * 1024;
const HIGH_SURROGATE = /[\uD800-\uDBFF]/;

/**
 * The answer in middy's streaming mode, which sends status and headers at once, and the body as the client reads it.
 */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string | Readable;
}

export interface StreamingOptions {
  readonly clock: Clock;
  /** Called when the body ends, a write fails, or the client has read nothing for a minute. */
  over(error?: Error | null): void;
}

/** Converts a response into a stream. Lambda does not report that a client left: only a write can fail or block. */
export function toStreamedResult(
  { status, headers, body }: ApiResponse,
  options: StreamingOptions,
): StreamedResult {
  if (typeof body === 'string') {
    return {
      statusCode: status,
      headers,
      body: body.length > WRITTEN_AT_ONCE ? Readable.from(partsOf(body)) : body,
    };
  }
  const stream = body instanceof Uint8Array ? Readable.from(bytesOf(body)) : lineStream(body, options);
  return { statusCode: status, headers, body: stream };
}

/** A long text in large parts. middy would write it in parts of 16 KB, and break characters of two code units. */
function* partsOf(text: string): Generator<Buffer> {
  for (let begin = 0; begin < text.length; ) {
    const end = begin + PART;
    const splits = HIGH_SURROGATE.test(text.charAt(end - 1));
    const part = text.slice(begin, splits ? end + 1 : end);
    yield Buffer.from(part);
    begin += part.length;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * A stream of lines, one at a time, no faster than the client reads. Unlike `Readable.from`, it reports its end
 * without waiting for the next line. The lines are produced in the async context of the request, so that log entries
 * have its id.
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
    if (!signal.aborted) stream.destroy(new Error(`the client has read nothing for ${BLOCKED / 1_000} s`));
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
      over(error);
      iterator.return?.().catch(() => undefined);
      callback(error);
    },
  });
}

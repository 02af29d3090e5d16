import { Writable } from 'node:stream';

/** The status and headers of a streamed response. */
export interface ResponseMetadata {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
}

/** The destination of a streamed response. `head` is called once, before the first write. */
export interface ResponseSink {
  head(metadata: ResponseMetadata): void;
  /** Writes a chunk. Resolves when more may be written. */
  write(chunk: Buffer): Promise<void>;
}

type StreamHandler = (event: unknown, stream: ResponseStream, context: unknown) => Promise<unknown>;

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/**
 * The response stream of a Lambda function: metadata and body. The first write, even an empty one, sends status and
 * headers.
 *
 * The stream does not report that its client has left: it then accepts and discards everything. It blocks while a
 * connected client reads nothing, and is destroyed only when the local gateway stops.
 */
export class ResponseStream extends Writable {
  metadata: ResponseMetadata | undefined;
  readonly #sink: ResponseSink;
  #begun = false;

  constructor(sink: ResponseSink) {
    super();
    this.#sink = sink;
  }

  /** Whether anything was written. */
  get begun(): boolean {
    return this.#begun;
  }

  setContentType(type: string): void {
    this.metadata = { ...this.metadata, headers: { 'content-type': type } };
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#begin();
    this.#sink.write(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#begin();
    done();
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#sink.head(this.metadata ?? {});
  }
}

/** Defines the global `awslambda` of Lambda's Node runtime, which handlers that stream use. */
export function installStreaming(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: StreamHandler) => Object.assign(handler, { [STREAMING]: 'response' }),
      HttpResponseStream: {
        from: (stream: ResponseStream, metadata: ResponseMetadata) => Object.assign(stream, { metadata }),
      },
    },
  });
}

export function isStreaming(handler: unknown): handler is StreamHandler {
  return typeof handler === 'function' && STREAMING in handler;
}

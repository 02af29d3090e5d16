import { Writable } from 'node:stream';

/** What a handler says before the body of a streamed response. */
export interface ResponseMetadata {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
}

/** Where a streamed response goes. `head` comes once, with the first write. */
export interface ResponseSink {
  head(metadata: ResponseMetadata): void;
  /** Resolves when more may be written. */
  write(chunk: Buffer): Promise<void>;
}

type StreamHandler = (event: unknown, stream: ResponseStream, context: unknown) => Promise<unknown>;

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

/**
 * The response stream of a Lambda function: metadata and body. Nothing leaves before the first write, be it
 * empty; that flushes status and headers.
 *
 * Whether somebody takes what is written, it does not tell: the stream of a client that has left takes all. It is
 * blocked while a client that is there takes nothing, and destroyed only when its front door closes.
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

/** Makes the global that Lambda's Node runtime has and handlers that stream use. */
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

import type { Destination } from './destination.ts';

/** An answer of a webhook's server. */
export interface TransportAnswer {
  /** The HTTP status. */
  readonly status: number;
  readonly text: string;
}

/** A call that brought no answer. The message says why in Go's words, which upstream's users search for. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** Whether the time of the call ran out. */
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout: boolean) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** Sends requests to the servers of webhooks. */
export interface Transport {
  /**
   * Sends a JSON body by POST, once, and follows no redirect.
   *
   * @param timeout in ms
   * @throws {TransportError} no answer arrived, or one above 3 MiB
   */
  post(destination: Destination, body: string, timeout: number): Promise<TransportAnswer>;
}

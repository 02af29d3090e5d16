import type { Readable } from 'node:stream';
import type { Clock, Logger, Metrics, Random } from '../../platform/index.ts';
import type { Collection, JsonObject, Store } from '../../store/index.ts';
import type { Watches } from '../../watch/index.ts';
import type { Verbs } from './call.ts';

/** An HTTP request as the API sees it, whatever brought it. */
export interface ApiRequest {
  /** Its id, from whoever took it in: what the journal and the messages to subscribers say of its writes. */
  readonly auditID?: string;
  readonly method: string;
  /** Without a stage prefix, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Absent where nobody is asked for a login. */
  readonly caller?: Caller | undefined;
}

/** Who asks, as the login says. */
export interface Caller {
  /** Of an IAM user or role. */
  readonly arn: string;
  /** The name of a role's session. */
  readonly session?: string;
}

/**
 * An answer. The body of a watch is lines, each complete with its `\n`; it ends when the watch does. That of a large
 * LIST is pieces of text, or a stream of bytes where they are compressed; what broke off on the way rejects.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | AsyncIterable<string> | Readable;
}

export interface ApiOptions {
  /** So that a function carries no more than its methods need. */
  readonly verbs: Verbs;
  readonly store: Store;
  readonly watches: Watches;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Called after each commit with its resourceVersion. Never throws, and is over when `signal` is. */
  announce(collection: Collection, rv: number, signal: AbortSignal): Promise<void>;
  /** What a GET of one object shows beyond what is stored: a Subscription's position. */
  complete?(collection: Collection, object: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /**
   * The largest answer in bytes, counted as the JSON string literal in which a buffered proxy answer travels;
   * unlimited when absent. A larger one becomes a 413 that names `limit`.
   */
  readonly maximumBytes?: number;
}

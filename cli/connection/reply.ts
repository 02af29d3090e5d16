import type { Answer } from '../client.ts';

/** The answer of an endpoint, which may be any server. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The parsed text; undefined if it is not a JSON object. */
  readonly body: Answer['body'] | undefined;
  /** The endpoint's `Retry-After` in seconds, with status 429 and above. */
  readonly retryAfter?: number;
}

import type { Readable } from 'node:stream';
import type { RequestBudget } from '../../budget/index.ts';
import type { Subscribing } from '../../delivery/index.ts';
import type { Collection, JsonObject } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { AuthorLife, Clock, Logger, Metrics, Random, ServiceRange } from '../../platform/index.ts';
import type { Store, WatchCap, Watches } from '../../store/index.ts';
import type { Auditing } from './auditing.ts';
import type { Verbs } from './call.ts';
import type { UserInfo } from './user-info.ts';

/** An HTTP request, independent of its transport. */
export interface ApiRequest {
  /** The id of the request, from the front door. The journal and the messages to consumers carry it. */
  readonly auditID?: string;
  readonly method: string;
  /** Without a stage prefix, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The caller, from the front door. The request itself never names it. */
  readonly user: UserInfo;
  /** The ARN of the caller's IAM principal, from the front door. An AccessEntry may give it another name. */
  readonly principal?: string | undefined;
  /** The impersonation headers, as `headers`, with every value; absent if there are none. */
  readonly impersonation?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The client's IP address, from the front door. */
  readonly sourceIP?: string | undefined;
  /** The object that must still exist, with that uid, for the login to be valid; absent for most logins. */
  readonly bound?: readonly BoundObject[] | undefined;
  /** The end of the login, in ms since the epoch; undefined if it has none. */
  readonly expires?: number | undefined;
}

/** An object of the core group that must exist for a login to be valid. */
export interface BoundObject {
  readonly resource: string;
  /** Empty if the kind is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The issuer of service account tokens. */
export interface TokenIssuer {
  /** The issuer in the tokens, and their audience if the request names none. */
  readonly issuer: string;
  /** Signs a JWT with these claims. */
  sign(claims: JsonObject): Promise<string>;
  /**
   * Verifies a token for these audiences; for this server if there are none. Rejects if the token cannot be checked
   * now.
   */
  review(token: string, audiences: readonly string[]): Promise<TokenVerdict>;
}

/** The identity in a token, before its bound objects are checked; or the reason why the token is not valid. */
export type TokenVerdict =
  | {
      readonly identity: UserInfo & { readonly bound?: readonly BoundObject[] | undefined };
      /** The requested audiences that the token has. */
      readonly audiences: readonly string[];
    }
  | { readonly error: string };

/**
 * A response. The body of a watch is lines, each complete with its `\n`; it ends with the watch. The body of a large
 * LIST is pieces of text, or a stream of bytes if they are compressed. If the body breaks off, the iteration rejects.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | AsyncIterable<string> | Readable;
}

export interface ApiOptions {
  /** The supported verbs. A function bundles only the code of the verbs that it serves. */
  readonly verbs: Verbs;
  readonly store: Store;
  /**
   * The store without the caller's scope; absent if the scope is all objects. `store` and `watches` show only objects
   * in the scope.
   */
  readonly whole?: Store | undefined;
  readonly watches: Watches;
  /** The limit of open watches for each user; unlimited if absent. */
  readonly watchCap?: WatchCap | undefined;
  /** The limit of requests for each user; unlimited if absent. */
  readonly budget?: RequestBudget | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Announces a commit with its resourceVersion. Never throws, and ends when `signal` aborts. */
  announce(collection: Collection, rv: number, signal: AbortSignal): Promise<void>;
  /** Adds fields that are not stored to the response of a GET, such as a Subscription's position. */
  complete?(collection: Collection, object: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** The audit log, if there is one. */
  readonly auditing?: (() => Promise<Auditing>) | undefined;
  /** The custom kinds, for discovery. */
  customTypes?(): Promise<readonly ResourceType[]>;
  /**
   * The largest response in bytes, counted as the JSON string literal in a buffered proxy response; unlimited if
   * absent. A larger response becomes a 413 that names `limit`.
   */
  readonly maximumBytes?: number;
  /** The range of Service addresses; the default range if absent. */
  readonly serviceRange?: ServiceRange | undefined;
  /** The deployment's limits for Subscriptions and Tallies; no limits if absent. */
  readonly subscribing?: Subscribing | undefined;
  /**
   * How long delivery lasts after the last request of its author; absent if the last requests of users are not
   * recorded.
   */
  readonly authorLife?: AuthorLife | undefined;
  /** The token issuer; absent if tokens are not issued. */
  readonly tokens?: TokenIssuer | undefined;
}

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

/** An HTTP request as the API sees it, whatever brought it. */
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
  /** Where the request came from, as the front door says. */
  readonly sourceIP?: string | undefined;
  /** The object that must still exist, with that uid, for the login to be valid; absent for most logins. */
  readonly bound?: readonly BoundObject[] | undefined;
  /** When its login ends, in milliseconds since the Unix epoch; undefined where it does not. */
  readonly expires?: number | undefined;
}

/** An object of the core group by which a login stands and falls. */
export interface BoundObject {
  readonly resource: string;
  /** Empty where its kind has none. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The issuer of service account tokens. */
export interface TokenIssuer {
  /** What they name as their issuer, and as their audience where nothing else is asked for. */
  readonly issuer: string;
  /** A JWT of these claims. */
  sign(claims: JsonObject): Promise<string>;
  /** Whose token it is to these audiences; to this server, where there are none. Rejects where nobody can say now. */
  review(token: string, audiences: readonly string[]): Promise<TokenVerdict>;
}

/** Whose a token is, before it is looked whether that still stands, or why it is none. */
export type TokenVerdict =
  | {
      readonly identity: UserInfo & { readonly bound?: readonly BoundObject[] | undefined };
      /** Of those that were asked for. */
      readonly audiences: readonly string[];
    }
  | { readonly error: string };

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
  /** All that there is, where who asks sees some of it: `store` and `watches` show the caller no others. */
  readonly whole?: Store | undefined;
  readonly watches: Watches;
  /** How many of them one user may have open; absent: any number. */
  readonly watchCap?: WatchCap | undefined;
  /** How many requests one user may make; absent: any number. */
  readonly budget?: RequestBudget | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Called after each commit with its resourceVersion. Never throws, and is over when `signal` is. */
  announce(collection: Collection, rv: number, signal: AbortSignal): Promise<void>;
  /** What a GET of one object shows beyond what is stored: a Subscription's position. */
  complete?(collection: Collection, object: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** The audit log, if there is one. */
  readonly auditing?: (() => Promise<Auditing>) | undefined;
  /** The custom kinds, for discovery. */
  customTypes?(): Promise<readonly ResourceType[]>;
  /**
   * The largest answer in bytes, counted as the JSON string literal in which a buffered proxy answer travels;
   * unlimited when absent. A larger one becomes a 413 that names `limit`.
   */
  readonly maximumBytes?: number;
  /** Where addresses of Services are; where they are by default, unless it is said. */
  readonly serviceRange?: ServiceRange | undefined;
  /** What Subscriptions and Tallies may take; anything, unless it is said. */
  readonly subscribing?: Subscribing | undefined;
  /** How long delivery lasts for a user who is not seen; absent where it is not noted which users ask. */
  readonly authorLife?: AuthorLife | undefined;
  /** Where tokens are issued. */
  readonly tokens?: TokenIssuer | undefined;
}

import type { Readable } from 'node:stream';
import type { JsonObject } from '../../json/index.ts';
import type { UserInfo } from './user-info.ts';

/** An HTTP request, independent of its transport. */
export interface ApiRequest {
  /** The id of the request, from API Gateway or the local server. The journal and the messages to consumers carry it. */
  readonly auditID?: string;
  readonly method: string;
  /** Without a stage prefix, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The caller, from the login. The request itself never names it. */
  readonly user: UserInfo;
  /** The ARN of the caller's IAM principal, from the login. An AccessEntry may give it another name. */
  readonly principal?: string | undefined;
  /** The impersonation headers, as `headers`, with every value; absent if there are none. */
  readonly impersonation?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The client's IP address, from API Gateway or the local server. */
  readonly sourceIP?: string | undefined;
  /** The objects that must still exist, with these uids, for the login to be valid; absent for most logins. */
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

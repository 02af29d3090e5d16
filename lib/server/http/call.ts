import type { RequestBudget } from '../../budget/index.ts';
import type { Subscribing } from '../../delivery/index.ts';
import type { Collection, JsonObject, JsonValue, ObjectName } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import type { Access, Policy, Scope, User } from '../../kubernetes/rbac/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import {
  type AuthorLife,
  type Clock,
  type Logger,
  type Metrics,
  type Random,
  type ServiceRange,
  TIMING,
} from '../../platform/index.ts';
import type { ObjectState, Store, WatchCap, Watches, WriteOutcome } from '../../store/index.ts';
import type { WebhookOptions } from '../webhooks/index.ts';
import type { Auditing } from './auditing.ts';
import type { ApiRequest, TokenIssuer } from './request.ts';
import type { ResourceRoute, Verb } from './route.ts';

/** The parts of a server of the API. */
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
  announce(
    collection: Collection,
    rv: number,
    signal: AbortSignal,
    isMarked: boolean | undefined,
  ): Promise<void>;
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
  /** Whether pods run as service accounts: then each namespace has one, and the ServiceAccount admission is on. */
  readonly serviceAccounts?: boolean | undefined;
  /** The deployment's limits for Subscriptions and Tallies; no limits if absent. */
  readonly subscribing?: Subscribing | undefined;
  /**
   * How long delivery lasts after the last request of its author; absent if the last requests of users are not
   * recorded.
   */
  readonly authorLife?: AuthorLife | undefined;
  /** What calls of admission webhooks need; absent in a function that serves no writes. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Loads the schemas of Kubernetes' kinds; absent in a function that serves no OpenAPI documents. */
  readonly openApi?: (() => Promise<Components>) | undefined;
  /** The token issuer; absent if tokens are not issued. */
  readonly tokens?: TokenIssuer | undefined;
}

/** The input of a verb's function: one request for objects. */
export interface Call {
  /** The options, with a store whose deadline is `signal`. */
  readonly options: ApiOptions;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** Aborts when the client has disconnected or the request's time is over. */
  readonly signal: AbortSignal;
  /** Aborts when the client has disconnected or the function's time is over. The response may be written until then. */
  readonly lasting: AbortSignal;
  /** The rights of the caller; absent for members of `system:masters`. */
  readonly permit?: Authorization | undefined;
  /** The current roles and bindings. */
  policy(): Promise<Policy>;
  /**
   * Has mutating policies and webhooks change an object before it is validated. Inside a change, call it again for each
   * retry. Absent for reads.
   *
   * @param operation that of the write
   * @param write describes the write; it is called only if rules may change objects
   * @param complete decodes an object that a rule changed
   * @returns the object; undefined for a DELETE, and if no rule may change objects
   * @throws ApiError a policy fails, or a webhook denies the write or cannot be asked
   */
  mutate?(
    operation: RuledWrite['operation'],
    write: () => RuledWrite | Promise<RuledWrite>,
    complete: MutatedObject,
  ): Promise<JsonObject | undefined>;
  /**
   * Has the admission policies and then the webhooks decide a write. Call it inside `change` of the write, so that the decision holds for the
   * state that is committed. `write` is called only if there are rules. Absent for reads.
   *
   * @throws ApiError 422, or 401, 403 or 413 as the policy says; or as a webhook says
   * @throws {ReadAgainError} webhooks were asked, so the change must begin again
   */
  decide?(write: () => RuledWrite | Promise<RuledWrite>): Promise<void>;
}

/**
 * Decodes an object that a rule changed, and sets its defaults. Unknown fields are dropped.
 *
 * @param told gets the faults of the object, such as `unknown field "spec.x"`
 */
export type MutatedObject = (
  object: JsonObject,
  told?: (faults: readonly string[]) => void,
) => Promise<JsonObject>;

/** A write that admission policies and webhooks decide. */
export interface RuledWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The object's name, if it is not that of the path; '' if the server generates it. */
  readonly name?: string;
  /** The object after the write, as a client would see it; absent for a DELETE. */
  readonly object?: JsonObject;
  /** The object before the write, as a client would see it; absent for a CREATE. */
  readonly oldObject?: JsonObject;
  readonly dryRun: boolean;
  /** The DeleteOptions of a DELETE, without `dryRun`. */
  readonly options?: JsonObject;
  /** The namespace's state, if it was read after the request began. */
  readonly namespace?: ObjectState | undefined;
}

/** The rights of the caller, beyond the permission for this request. */
export interface Authorization {
  /** The scope of the permission; undefined means all objects. */
  readonly scope: Scope | undefined;
  /** The name of the node that the caller stands for; absent for other callers. */
  readonly node?: string | undefined;
  /** The cipher for continue tokens; absent if tokens are not encrypted. */
  readonly seal?: TokenCipher | undefined;
  /** @throws ApiError 403 the caller may not do that for all objects, by the rights at the start of the request */
  demand(access: Access): void;
  /**
   * Returns the scope of the objects for which the caller has this permission; undefined means all objects.
   *
   * @throws ApiError 403
   */
  reach(access: Access): Scope | undefined;
  /**
   * Limits the collection, for the rest of the request, to objects for which the caller has this permission.
   *
   * @throws ApiError 403
   */
  look(collection: Collection, access: Access): void;
  /**
   * The effective user and the rights at this moment. Both belong to the same moment, as long as the caller does not
   * `await`.
   */
  now(): { readonly user: User; readonly policy: Policy };
  /** Checks again whether the caller may do what the request asks for. */
  stands(): Promise<Recheck>;
}

/** Encrypts texts so that only the server can read or create them. */
export interface TokenCipher {
  /**
   * Encrypts a text.
   *
   * @param about the subject of the text; `open` must name the same one
   */
  close(text: string, about: string): string;
  /** Decrypts a text; undefined if it was not made by this cipher, or for another subject or scope. */
  open(sealed: string, about: string): string | undefined;
}

/**
 * The result of the second check; `changed` means that the caller may still do it, but for other objects than before.
 */
export type Recheck = 'stands' | 'changed' | 'denied';

/** The result of a verb, before it is encoded. */
export type Answer = { readonly status: number } & (
  | {
      readonly value: JsonValue;
      readonly warnings?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A JSON value that is encoded already, without indentation. */
  | { readonly json: string; readonly warnings?: readonly string[] }
  | { readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lines: AsyncIterable<string> }
  /** JSON text in pieces, sent as they are produced. Pieces may be compressed; lines are not. */
  | { readonly pieces: AsyncIterable<string> }
);

/** The functions of the supported verbs; others get 405. */
export type Verbs = Readonly<Partial<Record<Verb, (call: Call) => Promise<Answer>>>>;

/**
 * The options with a store without the caller's scope. The server uses it for objects that the caller need not see:
 * namespaces, limits, quotas, disruption budgets.
 */
export function asServer(options: ApiOptions): ApiOptions & { readonly store: Store } {
  return options.whole === undefined ? options : { ...options, store: options.whole };
}

export function collectionOfCall({ route }: Call): Collection {
  return collectionOfType(route.type);
}

/** The object's name in the store, from the URL; or another name in the same namespace. */
export function objectNameOf({ route }: Call, name: string = route.name): ObjectName {
  return { namespace: route.namespace, name };
}

/** What the ServiceAccount admission needs to create an account; undefined if it is off. */
export function accountsOf(
  options: ApiOptions,
):
  | { readonly clock: Clock; announce(collection: Collection, outcome: WriteOutcome): Promise<void> }
  | undefined {
  if (options.serviceAccounts !== true) return undefined;
  const announce = (collection: Collection, outcome: WriteOutcome) =>
    announceCommit(options, collection, outcome, false);
  return { clock: options.clock, announce };
}

/** Announces a commit to dispatch. A dry run and a write that changed nothing are not announced. */
export async function announceCommit(
  options: ApiOptions,
  collection: Collection,
  outcome: WriteOutcome,
  dryRun: boolean,
): Promise<void> {
  if (!dryRun && outcome.kind !== 'none' && outcome.after !== undefined) {
    const deadline = options.clock.deadline(TIMING.hint);
    await options.announce(collection, outcome.after.rv, deadline, outcome.isFollowed);
  }
}

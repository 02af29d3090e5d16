import type { Collection, JsonValue, ObjectName } from '../../json/index.ts';
import type { Access, Policy, Scope, User } from '../../kubernetes/rbac/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import { TIMING } from '../../platform/index.ts';
import type { Store, WriteOutcome } from '../../store/index.ts';
import type { ApiOptions, ApiRequest } from './request.ts';
import type { ResourceRoute, Verb } from './route.ts';

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
}

/** The rights of the caller, beyond the permission for this request. */
export interface Authorization {
  /** The scope of the permission; undefined means all objects. */
  readonly scope: Scope | undefined;
  /** The cipher for continue tokens; absent if tokens are not encrypted. */
  readonly seal?: TokenCipher | undefined;
  /** @throws ApiError 403 the caller may not do that for all objects, by the rights at the start of the request */
  demand(access: Access): void;
  /** From now on, the collection shows only objects for which the caller has this permission. @throws ApiError 403 */
  look(collection: Collection, access: Access): void;
  /** The effective user and the rights at this moment. Both come from one state, until the next `await`. */
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

/** The result of the second check; `changed` means: for other objects than before. */
export type Recheck = 'stands' | 'changed' | 'denied';

/** The result of a verb, before it is encoded. */
export type Answer = { readonly status: number } & (
  | {
      readonly value: JsonValue;
      readonly warnings?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    }
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

/** Announces a commit to dispatch. A dry run and a write that changed nothing are not announced. */
export async function announceCommit(
  options: ApiOptions,
  collection: Collection,
  outcome: WriteOutcome,
  dryRun: boolean,
): Promise<void> {
  if (!dryRun && outcome.kind !== 'none' && outcome.after !== undefined) {
    await options.announce(collection, outcome.after.rv, options.clock.deadline(TIMING.hint));
  }
}

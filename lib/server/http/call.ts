import type { Collection, JsonValue, ObjectName } from '../../json/index.ts';
import type { Access, Policy, Scope, User } from '../../kubernetes/rbac/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import { TIMING } from '../../platform/index.ts';
import type { Store, WriteOutcome } from '../../store/index.ts';
import type { ApiOptions, ApiRequest } from './request.ts';
import type { ResourceRoute, Verb } from './route.ts';

/** One request for objects, on its way through the function of its verb. */
export interface Call {
  /** With a store that is over when `signal` is. */
  readonly options: ApiOptions;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  /** Aborts when the client is gone or the request's time is up. */
  readonly signal: AbortSignal;
  /** Aborts when the client is gone or the function's time is up: an answer may still be written until then. */
  readonly lasting: AbortSignal;
  /** The rights of the caller; absent for members of `system:masters`. */
  readonly permit?: Authorization | undefined;
  /** All roles and bindings, as they are now. */
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

/** Makes of a text what nobody but the server reads, or makes. */
export interface TokenCipher {
  /** @param about for what alone it is good */
  close(text: string, about: string): string;
  /** Undefined where it is none of it, or of what who brings it saw then. */
  open(sealed: string, about: string): string | undefined;
}

/** The result of the second check; `changed` means: for other objects than before. */
export type Recheck = 'stands' | 'changed' | 'denied';

/** What a verb answers, before it is encoded. */
export type Answer = { readonly status: number } & (
  | {
      readonly value: JsonValue;
      readonly warnings?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lines: AsyncIterable<string> }
  /** Text of JSON, written out as it is made: it may be compressed on its way, as lines are not. */
  | { readonly pieces: AsyncIterable<string> }
);

/** What an API does for the verbs that it knows; 405 for any other. */
export type Verbs = Readonly<Partial<Record<Verb, (call: Call) => Promise<Answer>>>>;

/**
 * What the server itself goes by, of which who asks need not see anything: namespaces, limits, quotas, disruption
 * budgets.
 */
export function asServer(options: ApiOptions): ApiOptions & { readonly store: Store } {
  return options.whole === undefined ? options : { ...options, store: options.whole };
}

export function collectionOfCall({ route }: Call): Collection {
  return collectionOfType(route.type);
}

/** The store's name of the object that the URL names, or of another one beside it. */
export function objectNameOf({ route }: Call, name: string = route.name): ObjectName {
  return { namespace: route.namespace, name };
}

/** Tells the subscribers' side of a commit; a rehearsal and a write that changed nothing are none. */
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

import { TIMING } from '../../platform/index.ts';
import type { Collection, JsonValue, ObjectName, WriteOutcome } from '../../store/index.ts';
import { collectionOfType } from '../resource-types/index.ts';
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
}

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

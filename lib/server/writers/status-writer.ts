import type { Collection, JsonObject } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { nextState, spelledMutation, trackFields, typedState } from '../objects/index.ts';
import { notFound } from '../status/index.ts';
import { targetOf } from './target-of.ts';

export interface StatusWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The manager in managedFields. */
  readonly manager: string;
  /** When a write is over. */
  deadline(): AbortSignal;
  /** Called after each commit with its resourceVersion. */
  announce(collection: Collection, rv: number): Promise<void>;
}

/**
 * Writes statuses as a PUT of \`/status\` does: by the same rules, with its own name in managedFields, and refused where the
 * object is another one by now. Rejects where one was not written.
 */
export function statusWriter({ store, clock, manager, deadline, announce }: StatusWriterOptions) {
  return async (collection: Collection, desired: JsonObject): Promise<void> => {
    const { type, name } = targetOf(collection, desired);
    const route = { type, verb: 'update', subresource: 'status', ...name } as const;
    const tracking = await trackFields({ route, manager, clock });
    const change = async (current: ObjectState | undefined) => {
      if (current === undefined) throw notFound(type, name.name);
      const state = await typedState(type, current);
      const next = await nextState(route, state, desired);
      return spelledMutation(type, tracking.changed(state, next, desired));
    };
    const { kind, after } = await store.within(deadline()).write(collection, name, change);
    if (kind !== 'none' && after !== undefined) await announce(collection, after.rv);
  };
}

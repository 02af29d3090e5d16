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
  /** The deadline of a write. */
  deadline(): AbortSignal;
  /** Called after each commit with its resourceVersion. */
  announce(collection: Collection, rv: number): Promise<void>;
}

/**
 * Creates a function that writes statuses as a PUT of `/status` does. The same rules apply, managedFields names this
 * writer, and a write is refused if the object has been replaced or changed. The function rejects if nothing was
 * written.
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

'use client';

import { useCallback, useSyncExternalStore } from 'react';
import type {
  FieldSelector,
  LabelSelector,
  LiveObject,
  LiveOptions,
  LiveSet,
  LiveState,
  Objects,
} from '../objects/index.ts';

/** What a component shows of a live set: an immutable value, and the same one until something changes. */
export interface LiveView<Body> {
  /** The objects, sorted by namespace and name. */
  readonly objects: readonly LiveObject<Body>[];
  /** `starting` until the first LIST is complete, and always on a server. */
  readonly state: LiveState;
  /** Whether `objects` is the whole set. */
  readonly complete: boolean;
  /** The number of objects in the set, also of those that are not held. */
  readonly count: number;
  /** Why the state is `starting`, `stale` or `stopped`, if a request failed. */
  readonly error: Error | undefined;
}

export type UseLiveOptions<Selectable extends string, Body = unknown> = Omit<
  LiveOptions<Selectable, Body>,
  'signal'
>;

/** The view of one object. */
export interface ObjectView<Body> extends Pick<LiveView<Body>, 'state' | 'error'> {
  /** The object; undefined before the first answer, and if there is none. */
  readonly object: LiveObject<Body> | undefined;
}

/** The part of a live set that a view needs, for objects of any type. */
interface Followed
  extends Pick<LiveSet<unknown>, 'state' | 'complete' | 'count' | 'snapshot' | 'subscribe' | 'stop'> {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** A live set that components share, and its view. */
interface Shared {
  readonly live: Followed;
  readonly observers: Set<() => void>;
  view: LiveView<unknown>;
  closing?: ReturnType<typeof setTimeout> | undefined;
}

const EMPTY: LiveView<never> = Object.freeze({
  objects: Object.freeze([]),
  state: 'starting',
  complete: false,
  count: 0,
  error: undefined,
});

/** How long a set without users stays open, in ms. StrictMode and a change of the page leave and come back. */
const LINGER = 5_000;

/** The open sets by the text of their question, by connection. */
const open = new WeakMap<object, Map<string, Shared>>();

/**
 * Follows a selected set while the component is mounted. Components that ask equal questions share one watch, which
 * stays open for 5 s after the last of them has left. Without a collection, nothing is asked.
 *
 * Listeners run with `requestAnimationFrame`, unless `schedule` is given; the first component of a set decides.
 */
export function useLive<Body, Input, Selectable extends string>(
  collection: Objects<Body, Input, Selectable> | undefined,
  selector: LabelSelector = '',
  options: UseLiveOptions<Selectable, Body> = {},
): LiveView<Body> {
  const { connection = EMPTY, text = '' } = collection?.question(selector, options) ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others are new objects at each rendering
  const subscribe = useCallback(
    (observer: () => void) => {
      if (collection === undefined) return () => {};
      const { requestAnimationFrame: schedule } = globalThis as unknown as Frames;
      return join(connection, text, observer, () => collection.live(selector, { schedule, ...options }));
    },
    [connection, text],
  );
  const view = () => (open.get(connection)?.get(text)?.view ?? EMPTY) as LiveView<Body>;
  return useSyncExternalStore(subscribe, view, () => EMPTY);
}

/** Follows one object while the component is mounted. Without a collection or a name, nothing is asked. */
export function useObject<Body, Input, Selectable extends string>(
  collection: Objects<Body, Input, Selectable> | undefined,
  name: string | undefined,
): ObjectView<Body> {
  const fields = { 'metadata.name': name } as FieldSelector<Selectable, Body>;
  const { objects, state, error } = useLive(name ? collection : undefined, '', { fields });
  return { object: objects[0], state, error };
}

/** The function of a page that calls its argument before the next picture; absent elsewhere. */
interface Frames {
  readonly requestAnimationFrame?: (run: () => void) => unknown;
}

/** Adds an observer to the set of a question, which `begin` opens if it is not open. Returns how to leave it. */
function join(connection: object, text: string, observer: () => void, begin: () => Followed): () => void {
  const sets = open.get(connection) ?? new Map<string, Shared>();
  open.set(connection, sets);
  const found = sets.get(text);
  // A set that has stopped brings nothing more: after its last user has left, the next one opens another.
  const isOver = found?.live.state === 'stopped' && found.observers.size === 0;
  const shared = found === undefined || isOver ? share(begin()) : found;
  sets.set(text, shared);
  clearTimeout(shared.closing);
  shared.observers.add(observer);
  return () => {
    shared.observers.delete(observer);
    if (shared.observers.size > 0) return;
    shared.closing = setTimeout(() => {
      if (sets.get(text) === shared) sets.delete(text);
      void shared.live.stop();
    }, LINGER);
  };
}

function share(live: Followed): Shared {
  const shared: Shared = { live, observers: new Set(), view: EMPTY };
  const look = (error?: Error) => {
    const { state, complete, count } = live;
    shared.view = { objects: live.snapshot(), state, complete, count, error };
    for (const observer of shared.observers) observer();
  };
  live.on('error', look);
  live.subscribe(() => look(live.state === 'live' ? undefined : shared.view.error));
  return shared;
}

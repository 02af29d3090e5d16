import type { LiveEvents } from './announcer.ts';
import type { Column } from './shape.ts';
import type { LiveObject } from './stored-object.ts';

/**
 * `starting`: the first LIST is not complete. `live`: changes arrive. `stale`: the connection is lost, and the set keeps
 * what it has. `stopped`: nothing more arrives.
 */
export type LiveState = 'starting' | 'live' | 'stale' | 'stopped';

/** A condition on labels, such as a selector that `parseSelector` of `@winnow-dev/selectors` returns. */
export interface Matcher {
  matches(labels: Readonly<Record<string, string>>): boolean;
}

/** A set of objects that follows the server, as its readers see it: a live set, or a part of one. */
export interface LiveReader<Body> {
  /** Resolves when the set is complete for the first time. Rejects if the set stops before. */
  readonly ready: Promise<void>;
  readonly state: LiveState;
  /** Whether all objects of the set are held. False before the first LIST is complete. */
  readonly complete: boolean;
  /** The number of objects in the set. */
  readonly count: number;
  /** The state of the server that the set shows; undefined before the first LIST is complete. */
  readonly resourceVersion: string | undefined;
  /** The columns of the cells; none unless the shape is `table`. */
  readonly columns: readonly Column[];
  /** Returns the held objects, sorted by namespace and name: the same frozen array until something changes. */
  readonly snapshot: () => readonly LiveObject<Body>[];
  /**
   * Adds a function that is called once after each group of changes, and when the state changes. Returns a function that
   * removes it. With {@link snapshot}, this is the interface that views such as React's `useSyncExternalStore` take.
   */
  readonly subscribe: (observer: () => unknown) => () => void;
  /** Returns a held object: in the namespace of the collection, unless another one is named. */
  get(name: string, namespace?: string): LiveObject<Body> | undefined;
  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof LiveEvents<Body>>(name: Name, listener: LiveEvents<Body>[Name]): () => void;
  /**
   * Returns the part of this set whose labels match. It needs no request of its own, and stays current with this set
   * until that stops.
   */
  where(selector: Matcher): LiveReader<Body>;
}

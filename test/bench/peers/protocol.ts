/**
 * What the bench asks of a peer, a line of JSON each, and what it answers, a line of JSON each. The Go and Java
 * peers spell the same in their own words.
 */
export type Command =
  /** Reads subscriptions, builds, and measures. */
  | { readonly do: 'build'; readonly file: string }
  /** Reads the events of the runs that follow, and collects the garbage of reading them. */
  | { readonly do: 'events'; readonly file: string }
  /** Runs untimed until warm; a peer with several entry points chooses the fastest. */
  | { readonly do: 'warm'; readonly milliseconds: number }
  /** Matches the events from the first, until the time is over or they are, or as many as `events` are done. */
  | { readonly do: 'run'; readonly milliseconds: number; readonly events?: number }
  /** What the last run had found after so many events. */
  | { readonly do: 'found'; readonly events: number }
  /** Removes these subscriptions, then adds them again. */
  | { readonly do: 'churn'; readonly ids: readonly number[] }
  /** Reads pairs of a selector and a label set. */
  | { readonly do: 'pairs'; readonly file: string }
  /**
   * Reads selectors and label sets, to ask each of each: by `list` one selector after another goes over all label
   * sets, by `dispatch` one label set after another meets all selectors.
   */
  | { readonly do: 'grid'; readonly file: string; readonly by: 'list' | 'dispatch' }
  /** Evaluates all pairs, or the whole grid, over and over. */
  | { readonly do: 'evaluate'; readonly milliseconds: number }
  /** Interns and compiles the grid anew, over and over. */
  | { readonly do: 'prepare'; readonly milliseconds: number }
  /** Reads a cluster, and places its pods one after the other, again and again in a new one, for so much CPU time. */
  | { readonly do: 'place'; readonly file: string; readonly milliseconds: number };

export interface Built {
  readonly milliseconds: number;
  /** Of the heap, after garbage collection, above what was there before. */
  readonly bytes: number;
}

export interface Ran {
  readonly events: number;
  readonly nanoseconds: number;
}

/** How many matches, and a hash of who matched how in which event; see `Checksum`. */
export interface Found {
  readonly matches: number;
  readonly hash: number;
}

/** Microseconds for one subscription. */
export interface Churned {
  readonly remove: number;
  readonly add: number;
}

export interface Evaluated extends Found {
  /** For one evaluation. */
  readonly nanoseconds: number;
}

/** Nanoseconds for one. */
export interface Prepared {
  readonly labelSet: number;
  readonly selector: number;
}

export interface Placed {
  readonly pods: number;
  /** Of CPU time, on all cores. */
  readonly microseconds: number;
}

/**
 * Handles of subscriptions, each at most once, in no order: the first `length` of `handles`. Borrowed: the next
 * call into the index overwrites it, so read it at once and keep none of it. Never write to it.
 */
export interface HandleList {
  readonly handles: Int32Array;
  readonly length: number;
}

/** The subscriptions that one event concerns. Borrowed, as its lists are. */
export interface Matches {
  readonly entered: HandleList;
  readonly changed: HandleList;
  readonly left: HandleList;
}

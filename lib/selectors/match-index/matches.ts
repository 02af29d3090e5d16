/**
 * Handles of subscriptions, each at most once, in no order: those from `start` to before `end` of `handles`.
 * Borrowed: the next call into the index overwrites it, so read it at once and keep none of it. Never write to it.
 */
export interface HandleRange {
  readonly handles: Int32Array;
  readonly start: number;
  readonly end: number;
}

/** The subscriptions that one event concerns. Borrowed, as its ranges are. */
export interface Matches {
  readonly entered: HandleRange;
  readonly changed: HandleRange;
  readonly left: HandleRange;
}

/** A range that is pointed elsewhere for each event. */
export class Found implements HandleRange {
  handles: Int32Array = new Int32Array(0);
  start = 0;
  end = 0;

  point(handles: Int32Array, start: number, end: number): void {
    this.handles = handles;
    this.start = start;
    this.end = end;
  }
}

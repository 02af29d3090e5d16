/**
 * Handles of subscriptions: those from `start` to before `end` of `handles`. Each occurs at most once, in no order.
 * Borrowed: the next call of the index overwrites it. Read it at once, keep no reference, and never write to it.
 */
export interface HandleRange {
  readonly handles: Int32Array;
  readonly start: number;
  readonly end: number;
}

/** The subscriptions that one event concerns. Borrowed, like its ranges. */
export interface Matches {
  readonly entered: HandleRange;
  readonly changed: HandleRange;
  readonly left: HandleRange;
}

/** A range that is pointed to other handles for each event. */
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

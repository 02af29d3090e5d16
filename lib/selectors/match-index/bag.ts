import type { HandleRange } from './matches.ts';

/** A subscription, as a small integer. It is reused after the subscription's removal. */
export type Handle = number;

const SHORT_RUN = 64;

/** A growable list of handles in one array. */
export class Bag {
  handles: Int32Array;
  length = 0;

  constructor(capacity = 4) {
    this.handles = new Int32Array(capacity);
  }

  /** Replaces the contents with the handles of a range, except those in `gone`. */
  assign({ handles, start, end }: HandleRange, gone: ReadonlySet<Handle>): void {
    this.length = 0;
    if (gone.size === 0) {
      this.append(handles, end - start, start);
    } else {
      this.#appendUnless(gone, { handles, start, end });
    }
  }

  #appendUnless(gone: ReadonlySet<Handle>, { handles, start, end }: HandleRange): void {
    for (let at = start; at < end; at++) {
      const handle = handles[at] as Handle;
      if (!gone.has(handle)) this.push(handle);
    }
  }

  push(handle: Handle): void {
    if (this.length === this.handles.length) this.#reserve(this.length + 1);
    this.handles[this.length++] = handle;
  }

  /** Appends `count` of the handles, from `start` on. */
  append(handles: Int32Array, count: number, start = 0): void {
    if (this.length + count > this.handles.length) this.#reserve(this.length + count);
    // For short runs a loop is faster.
    if (count > SHORT_RUN) {
      this.handles.set(handles.subarray(start, start + count), this.length);
    } else {
      for (let at = 0; at < count; at++) this.handles[this.length + at] = handles[start + at] as number;
    }
    this.length += count;
  }

  #reserve(needed: number): void {
    const old = this.handles;
    this.handles = new Int32Array(Math.max(needed, 4, old.length + (old.length >> 1)));
    this.handles.set(old.subarray(0, this.length));
  }
}

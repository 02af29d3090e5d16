/** A subscription, as a small integer; given again after its removal. */
export type Handle = number;

const SHORT_RUN = 64;

/** Several handles, packed. */
export class Bag {
  handles: Int32Array;
  length = 0;

  constructor(capacity = 4) {
    this.handles = new Int32Array(capacity);
  }

  copy(): Bag {
    const copy = new Bag(this.length);
    copy.append(this.handles, this.length);
    return copy;
  }

  /** Drops the handles that `gone` has. */
  drop(gone: ReadonlySet<Handle>): void {
    let kept = 0;
    for (let at = 0; at < this.length; at++) {
      const handle = this.handles[at] as Handle;
      if (!gone.has(handle)) this.handles[kept++] = handle;
    }
    this.length = kept;
  }

  push(handle: Handle): void {
    if (this.length === this.handles.length) this.#reserve(this.length + 1);
    this.handles[this.length++] = handle;
  }

  /** Appends `count` of the handles, from `start` on. */
  append(handles: Int32Array, count: number, start = 0): void {
    if (this.length + count > this.handles.length) this.#reserve(this.length + count);
    // Short runs are copied faster by hand.
    if (count > SHORT_RUN) this.handles.set(handles.subarray(start, start + count), this.length);
    else for (let at = 0; at < count; at++) this.handles[this.length + at] = handles[start + at] as number;
    this.length += count;
  }

  #reserve(needed: number): void {
    const old = this.handles;
    this.handles = new Int32Array(Math.max(needed, 4, old.length + (old.length >> 1)));
    this.handles.set(old.subarray(0, this.length));
  }
}

/** A growable column of 32-bit integers. Elements that were never written read as `fill`. */
export class IntColumn {
  readonly #fill: number;
  /** The array, for direct access in hot loops; replaced when the column grows. */
  values: Int32Array;

  constructor(fill = 0) {
    this.#fill = fill;
    this.values = new Int32Array(16).fill(fill);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  get(at: number): number {
    return this.values[at] as number;
  }

  set(at: number, value: number): void {
    if (at >= this.values.length) this.reserve(at + 1);
    this.values[at] = value;
  }

  add(at: number, amount: number): number {
    const value = this.get(at) + amount;
    this.values[at] = value;
    return value;
  }

  /** Makes room for `length` values. */
  reserve(length: number): void {
    const old = this.values;
    if (length <= old.length) return;
    // Growing by half instead of doubling leaves at most a third unused.
    this.values = new Int32Array(Math.max(length, old.length + (old.length >> 1)));
    this.values.set(old);
    if (this.#fill !== 0) this.values.fill(this.#fill, old.length);
  }
}

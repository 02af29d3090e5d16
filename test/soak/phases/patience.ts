/** Seconds in which a count has to fall. However slow a machine is, its counts fall. */
export const STUCK = 600;

/** Waits for a count to become zero, as long as it falls. */
export class Patience {
  #least = Number.POSITIVE_INFINITY;
  #since = performance.now();

  /** Whether to wait on with so many left; not when there are none, or when there were no fewer for {@link STUCK} seconds. */
  isLeft(count: number): boolean {
    if (count < this.#least) {
      this.#least = count;
      this.#since = performance.now();
    }
    return count > 0 && performance.now() - this.#since < STUCK * 1_000;
  }
}

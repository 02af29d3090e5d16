/** How much of a phase's time one part of it may take. */
export class Budget {
  readonly #end: number;

  constructor(seconds: number) {
    this.#end = performance.now() + seconds * 1_000;
  }

  get isSpent(): boolean {
    return performance.now() >= this.#end;
  }
}

/** How many there are, and of how many, where the time was over before all of them were made. */
export function reached(count: number, wanted: number): string {
  const [made, all] = [count, wanted].map((one) => one.toLocaleString('en'));
  return count < wanted ? `${made} (of ${all}: the time was over)` : String(made);
}

/** Thrown inside of a rule that would go over more elements than are left. */
export class BudgetExceededError extends Error {
  constructor() {
    super('running out of cost budget');
    this.name = 'BudgetExceededError';
  }
}

/**
 * The elements that the rules of one object may go over. Each comprehension pays for all its elements before it begins,
 * so no rule does more steps than were paid for, whatever it does with errors within.
 */
export class Budget {
  #left = 0;
  #exceeded = false;

  refill(steps: number): void {
    this.#left = steps;
    this.#exceeded = false;
  }

  /** True from the first refusal on: `all` and `exists` may have swallowed it. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** @throws {BudgetExceededError} */
  pay<Range>(range: Range): Range {
    this.#left -= sizeOf(range);
    if (this.#left >= 0) return range;
    this.#exceeded = true;
    throw new BudgetExceededError();
  }
}

function sizeOf(range: unknown): number {
  if (Array.isArray(range)) return range.length + 1;
  if (range instanceof Map) return range.size + 1;
  return typeof range === 'object' && range !== null ? Object.keys(range).length + 1 : 1;
}

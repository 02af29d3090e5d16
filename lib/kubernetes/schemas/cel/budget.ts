/** Thrown when evaluation of a rule would cost more than the remaining budget. */
export class BudgetExceededError extends Error {
  constructor() {
    super('running out of cost budget');
    this.name = 'BudgetExceededError';
  }
}

/** The number of characters read or written for one unit of cost. */
const CHARACTERS = 8;

/**
 * The units of cost that the rules of one object may use. One unit pays for one step of an expression, one element that
 * is iterated, read or created, or eight characters. Code that builds a text or a list pays first. If a rule catches
 * the error, the spent units stay spent.
 */
export class Budget {
  #left = 0;
  #exceeded = false;

  refill(units: number): void {
    this.#left = units;
    this.#exceeded = false;
  }

  /** True after the first refusal. `all` and `exists` may have caught the error. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** The remaining units. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** @throws {BudgetExceededError} */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left >= 0 && !this.#exceeded) return;
    this.#exceeded = true;
    throw new BudgetExceededError();
  }

  /** Spends the units and returns whether the budget was sufficient. */
  affords(units: number): boolean {
    try {
      this.spend(units);
      return true;
    } catch {
      return false;
    }
  }

  /** Pays for a text of this length. @throws {BudgetExceededError} */
  spendText(characters: number): void {
    this.spend(Math.ceil(characters / CHARACTERS));
  }

  /** Pays for iterating all elements of a list or a map. @throws {BudgetExceededError} */
  pay<Range>(range: Range): Range {
    this.spend(lengthOf(range) + 1);
    return range;
  }

  /** Pays for reading a whole value of any shape. @throws {BudgetExceededError} */
  read(value: unknown): void {
    const open = [value];
    while (open.length > 0) {
      const next = open.pop();
      if (typeof next === 'string') {
        this.spendText(next.length);
      } else if (Array.isArray(next)) {
        for (const each of this.pay(next)) open.push(each);
      } else if (next instanceof Map) {
        for (const each of this.pay(next).values()) open.push(each);
      }
    }
  }
}

function lengthOf(range: unknown): number {
  if (Array.isArray(range)) return range.length;
  if (range instanceof Map) return range.size;
  return typeof range === 'object' && range !== null ? Object.keys(range).length : 0;
}

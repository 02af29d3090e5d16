/** Thrown inside of a rule that would cost more than is left. */
export class BudgetExceededError extends Error {
  constructor() {
    super('running out of cost budget');
    this.name = 'BudgetExceededError';
  }
}

/** Characters of a text that are read or written for one unit of cost. */
const CHARACTERS = 8;

/**
 * The units of cost that the rules of one object may use: one for each step of an expression, each element that is
 * gone over, read or made, and each eight characters. What builds a text or a list pays before it builds it. A rule
 * cannot win units back by catching the error.
 */
export class Budget {
  #left = 0;
  #exceeded = false;

  refill(units: number): void {
    this.#left = units;
    this.#exceeded = false;
  }

  /** True from the first refusal on: `all` and `exists` may have swallowed it. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** How many units are left. */
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

  /** Spends the units, and says whether there were so many. */
  affords(units: number): boolean {
    try {
      this.spend(units);
      return true;
    } catch {
      return false;
    }
  }

  /** Pays for a text of so many characters. @throws {BudgetExceededError} */
  spendText(characters: number): void {
    this.spend(Math.ceil(characters / CHARACTERS));
  }

  /** Pays for going over all elements of a list or a map. @throws {BudgetExceededError} */
  pay<Range>(range: Range): Range {
    this.spend(lengthOf(range) + 1);
    return range;
  }

  /** Pays for reading a whole value, whatever is in it. @throws {BudgetExceededError} */
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

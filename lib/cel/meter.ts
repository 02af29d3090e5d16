/** Thrown when an evaluation would cost more than its budget, or would build a value that is too large. */
export class BudgetExceededError extends Error {
  constructor(message = 'operation cancelled: actual cost limit exceeded') {
    super(message);
    this.name = 'BudgetExceededError';
  }
}

/** Thrown when an evaluation takes too long. It says nothing about the expression's result. */
export class TimeExceededError extends Error {
  constructor(milliseconds: number) {
    super(`operation cancelled: the evaluation took more than ${milliseconds} ms`);
    this.name = 'TimeExceededError';
  }
}

/** The largest number of characters, elements or entries of a value that a call builds. */
const LARGEST = 10_000_000;

/** The number of steps between two looks at the clock. */
const STEPS = 1000;

/**
 * The most steps of one evaluation. cel-go charges nothing for many of them: comparing two large lists costs a tenth of
 * a unit for each element, whatever the elements contain.
 */
const MOST_STEPS = 10_000_000;

/** The steps for comparing one value with another. */
const COMPARISON = 10;

/** The most work of regular expressions in one evaluation: instructions multiplied by characters. */
const MOST_MATCHING = 20_000_000;

interface Limits {
  /** The most units of cost. */
  readonly cost: number;
  /** Returns the current time in milliseconds. */
  readonly now?: () => number;
  /** The most milliseconds, if there is a clock. */
  readonly milliseconds?: number;
}

/**
 * Counts what evaluations cost, in the units of cel-go's runtime cost. Its errors are thrown, while CEL's own errors are
 * values, so no macro or operator can absorb them.
 */
export class Meter {
  readonly #limits: Limits;
  readonly #end: number;
  #cost = 0;
  #steps = 0;
  #sinceClock = 0;
  #matching = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    const { now, milliseconds } = limits;
    this.#end =
      now === undefined || milliseconds === undefined ? Number.POSITIVE_INFINITY : now() + milliseconds;
  }

  /** The units of cost so far. */
  get cost(): number {
    return this.#cost;
  }

  /** @throws {BudgetExceededError | TimeExceededError} */
  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limits.cost) throw new BudgetExceededError();
    this.work(1);
  }

  /** Counts steps that cel-go does not charge. @throws {BudgetExceededError | TimeExceededError} */
  work(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MOST_STEPS) throw new BudgetExceededError();
    this.#sinceClock += steps;
    if (this.#sinceClock < STEPS) return;
    this.#sinceClock = 0;
    const { now, milliseconds = 0 } = this.#limits;
    if (now !== undefined && now() > this.#end) throw new TimeExceededError(milliseconds);
  }

  /** Counts the comparison of two values without their parts. @throws {BudgetExceededError | TimeExceededError} */
  compare(): void {
    this.work(COMPARISON);
  }

  /** Counts the work of building a value with so many characters or elements. @throws {BudgetExceededError} */
  build(size: number): void {
    if (size > LARGEST) throw new BudgetExceededError();
    this.work(size >> 4);
  }

  /** Counts the work of a regular expression. It cannot be interrupted. @throws {BudgetExceededError} */
  match(instructions: number, characters: number): void {
    this.#matching += instructions * (characters + 1);
    if (this.#matching > MOST_MATCHING) throw new BudgetExceededError();
    this.work(instructions);
  }
}

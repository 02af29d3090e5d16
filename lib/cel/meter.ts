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

/** The most bytes of the values that one evaluation builds. All of them may be in memory at once. */
const MOST_BYTES = 50_000_000;

/** The bytes of a character, and of an element or entry. */
const CHARACTER = 2;
const ELEMENT = 24;

/** The most milliseconds of one evaluation. The step at its end may take 100 more, within a second in all. */
const MOST_MILLISECONDS = 900;

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
const MOST_MATCHING = 30_000_000;

interface Limits {
  /** The most units of cost. */
  readonly cost: number;
  /** Returns the current time in milliseconds. Without it, only the other limits bound an evaluation. */
  readonly now?: (() => number) | undefined;
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
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#end = (limits.now?.() ?? 0) + MOST_MILLISECONDS;
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
    const { now } = this.#limits;
    if (now !== undefined && now() > this.#end) throw new TimeExceededError(MOST_MILLISECONDS);
  }

  /** Counts the comparison of two values without their parts. @throws {BudgetExceededError | TimeExceededError} */
  compare(): void {
    this.work(COMPARISON);
  }

  /** Counts the building of a text or of bytes. @throws {BudgetExceededError | TimeExceededError} */
  buildText(size: number): void {
    this.limit(size);
    this.#build(size, CHARACTER);
  }

  /**
   * Counts the building of a list or map, or of so many new elements of one.
   *
   * @param total the size with the elements that exist already
   * @throws {BudgetExceededError | TimeExceededError}
   */
  buildElements(size: number, total = size): void {
    this.limit(total);
    this.#build(size, ELEMENT);
  }

  /** Checks the size of a value. @throws {BudgetExceededError} */
  limit(size: number): void {
    if (size > LARGEST) throw new BudgetExceededError();
  }

  #build(size: number, bytes: number): void {
    this.#bytes += size * bytes;
    if (this.#bytes > MOST_BYTES) throw new BudgetExceededError();
    this.work((size * bytes) >> 5);
  }

  /** Counts the work of a regular expression. It cannot be interrupted. @throws {BudgetExceededError} */
  match(instructions: number, characters: number): void {
    this.#matching += instructions * (characters + 1);
    if (this.#matching > MOST_MATCHING) throw new BudgetExceededError();
    this.work(instructions);
  }
}

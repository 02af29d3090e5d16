import type { Checked } from '../checked.ts';
import type { Regexes } from '../functions/index.ts';
import type { Meter } from '../meter.ts';
import { AbortedError, type Value } from '../values/index.ts';
import { Planner, type PlanOptions } from './plan.ts';
import type { Step } from './step.ts';

/** An expression that can be evaluated any number of times. */
export class Program {
  readonly #step: Step;
  readonly #regexes: Regexes;

  constructor(step: Step, regexes: Regexes) {
    this.#step = step;
    this.#regexes = regexes;
  }

  /**
   * Returns the value of the expression, or a `CelError`.
   *
   * @param activation returns the value of a variable, undefined for one that has none
   * @throws {BudgetExceededError} the meter's budget is spent
   * @throws {TimeExceededError} the meter's time is over
   */
  evaluate(activation: (name: string) => Value | undefined, meter: Meter): Value {
    try {
      return this.#step.evaluate({ activation, meter, regexes: this.#regexes, loops: [] });
    } catch (error) {
      if (error instanceof AbortedError) return error.value;
      throw error;
    }
  }
}

/**
 * Compiles a checked expression.
 *
 * @throws {ProgramError} a constant has no value, such as `duration('x')`, or a constant pattern is none
 */
export function compile(checked: Checked, options: PlanOptions): Program {
  return new Program(new Planner(checked, options).plan(checked.expression), options.regexes);
}

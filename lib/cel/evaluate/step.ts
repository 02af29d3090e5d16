import type { Runtime } from '../functions/index.ts';
import type { Value } from '../values/index.ts';

/** The state of one evaluation. */
export interface Run extends Runtime {
  /** Returns the value of a variable. */
  readonly activation: (name: string) => Value | undefined;
  /** The variables of the comprehensions that run, by their slots. */
  readonly loops: LoopState[];
}

/** The variables of a comprehension. */
export interface LoopState {
  accumulator: Value;
  variable: Value;
  variable2: Value;
  /** False until the accumulator is read or assigned for the first time. */
  initialized: boolean;
  /** True if the accumulator is a list or map that changes in place. */
  mutable: boolean;
}

/** A part of a program. `evaluate` charges what cel-go's runtime cost charges for it. */
export interface Step {
  evaluate(run: Run): Value;
}

/** A value that is known before the evaluation. It costs nothing. */
export class ConstantStep implements Step {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }

  evaluate(): Value {
    return this.value;
  }
}

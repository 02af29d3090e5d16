import {
  BudgetExceededError,
  CelError,
  MapValue,
  Meter,
  noOverload,
  type Program,
  type Value,
} from '../../cel/index.ts';
import { quote } from '../../selectors/index.ts';
import { PatternWorkError } from '../schemas/patterns.ts';
import type { Compiled } from './compile.ts';
import { VARIABLES } from './declared-types.ts';

/** The units of cost of one evaluation (k8s.io/apiserver/pkg/apis/cel, PerCallLimit). */
const MOST_CALL_UNITS = 1_000_000;

/** The units of cost of the validations of one policy, binding and parameter (RuntimeCELCostBudget). */
export const BUDGET = 10_000_000;
/** The units of cost of its match conditions (RuntimeCELCostBudgetMatchConditions). */
export const CONDITIONS_BUDGET = 2_500_000;

/** Thrown when the budget of several expressions is spent: none of them counts. */
export class OutOfBudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
    this.name = 'OutOfBudgetError';
  }
}

/** An expression with its text. */
export interface Expression {
  readonly text: string;
  readonly compiled: Compiled;
}

export type Result = { readonly value: Value } | { readonly error: string };

/** The values of variables, without `variables`. */
export type Activation = (name: string) => Value | undefined;

interface Parts {
  readonly activation: Activation;
  /** The policy's own variables; undefined for webhooks, which have none. */
  readonly variables: ReadonlyMap<string, Compiled> | undefined;
  readonly budget: number;
  readonly now: (() => number) | undefined;
}

/** The evaluation of expressions that share a budget and the values of the policy's variables. */
export class Evaluation {
  readonly #now: (() => number) | undefined;
  readonly #activation: Activation;
  readonly #variables: Variables | undefined;
  #left: number;

  constructor({ activation, variables, budget, now }: Parts) {
    this.#now = now;
    this.#left = budget;
    const all: Activation = (name) => (name === 'variables' ? this.#variables : activation(name));
    this.#activation = variables === undefined ? activation : all;
    this.#variables =
      variables === undefined
        ? undefined
        : new Variables(variables, (program) => run(program, this.#activation, this.#now));
  }

  /** The units of cost that are left. */
  get left(): number {
    return this.#left;
  }

  /** @throws {OutOfBudgetError | TimeExceededError} */
  evaluate({ text, compiled }: Expression): Result {
    if ('error' in compiled) return { error: `compilation error: ${compiled.error}` };
    const { value, cost } = run(compiled.program, this.#activation, this.#now);
    this.#pay(this.#variables?.takeCost() ?? 0);
    this.#pay(cost);
    if (!(value instanceof CelError)) return { value };
    return { error: `expression '${text}' resulted in error: ${value.message}` };
  }

  #pay(cost: number): void {
    if (cost > this.#left) throw new OutOfBudgetError();
    this.#left -= cost;
  }
}

interface Run {
  readonly value: Value;
  readonly cost: number;
}

/** Evaluates a program within the limits of one evaluation. A spent limit is an error as its value. */
function run(program: Program, activation: Activation, now: (() => number) | undefined): Run {
  const meter = new Meter({ cost: MOST_CALL_UNITS, now });
  try {
    return { value: program.evaluate(activation, meter), cost: meter.cost };
  } catch (error) {
    const isLimit = error instanceof BudgetExceededError || error instanceof PatternWorkError;
    if (!isLimit) throw error;
    return { value: new CelError(error.message), cost: meter.cost };
  }
}

/** `variables`: each is evaluated when it is first read. What it costs is paid by the expression that reads it. */
class Variables extends MapValue {
  readonly #compiled: ReadonlyMap<string, Compiled>;
  readonly #run: (program: Program) => Run;
  readonly #values = new Map<string, Value>();
  #cost = 0;

  constructor(compiled: ReadonlyMap<string, Compiled>, evaluate: (program: Program) => Run) {
    super();
    this.#compiled = compiled;
    this.#run = evaluate;
  }

  /** Returns the cost of the variables that were evaluated since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  override get typeName(): string {
    return VARIABLES;
  }

  override get size(): number {
    return this.#compiled.size;
  }

  override find(key: Value): Value | undefined {
    if (typeof key !== 'string') return noOverload(key);
    const compiled = this.#compiled.get(key);
    if (compiled === undefined) return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const name = quote(key);
    // A dynamic name may lead back to a variable that is being evaluated.
    this.#values.set(key, new CelError(`composited variable ${name} depends on itself`));
    const value = this.#valueOf(name, compiled);
    this.#values.set(key, value);
    return value;
  }

  #valueOf(name: string, compiled: Compiled): Value {
    if ('error' in compiled) {
      return new CelError(`composited variable ${name} fails to compile: ${compiled.error}`);
    }
    const { value, cost } = this.#run(compiled.program);
    this.#cost += cost;
    if (!(value instanceof CelError)) return value;
    return new CelError(`composited variable ${name} fails to evaluate: ${value.message}`);
  }

  /** Enumerates the values instead of the names, as kube-apiserver does. */
  override *keys(): Generator<Value, undefined> {
    for (const name of this.#compiled.keys()) yield this.find(name) ?? null;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof Variables ? other === this : noOverload(other);
  }
}

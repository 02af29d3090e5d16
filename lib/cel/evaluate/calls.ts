import type { Overload } from '../declarations.ts';
import { type Implementation, type Implementations, SINGLETONS } from '../functions/index.ts';
import type { Type } from '../types.ts';
import {
  CelError,
  equal,
  ListValue,
  MapValue,
  NO_OVERLOAD,
  noOverload,
  OptionalValue,
  typeNameOf,
  type Value,
} from '../values/index.ts';
import { type Charge, chargeOf } from './cost.ts';
import type { Run, Step } from './step.ts';

/** A call of a function. */
export class CallStep implements Step {
  readonly #call: Call;
  readonly #charge: Charge;

  constructor(call: Call) {
    this.#call = call;
    this.#charge = chargeOf(call.name, call.overload);
  }

  evaluate(run: Run): Value {
    const { args, implementation, stopsAtError } = this.#call;
    const values: Value[] = [];
    let error: CelError | undefined;
    for (const arg of args) {
      const value = arg.evaluate(run);
      values.push(value);
      if (!(value instanceof CelError)) continue;
      error ??= value;
      // cel-go charges for a call only when it evaluated all arguments.
      if (stopsAtError && values.length < args.length) return value;
    }
    this.#charge(run.meter, values);
    return error ?? implementation(run, ...values);
  }
}

export interface Call {
  readonly name: string;
  /** The id of the only overload that may apply, or an empty text. */
  readonly overload: string;
  readonly args: readonly Step[];
  readonly implementation: Implementation;
  /** Whether arguments after the first error are not evaluated. Unary and binary calls evaluate all. */
  readonly stopsAtError: boolean;
}

/** `==` and `!=` of values of any types. */
export class EqualStep implements Step {
  readonly #isEqual: boolean;
  readonly #charge: Charge;
  readonly #one: Step;
  readonly #other: Step;

  constructor(name: '_==_' | '_!=_', one: Step, other: Step) {
    this.#isEqual = name === '_==_';
    this.#charge = chargeOf(name, this.#isEqual ? 'equals' : 'not_equals');
    this.#one = one;
    this.#other = other;
  }

  evaluate(run: Run): Value {
    const [one, other] = [this.#one.evaluate(run), this.#other.evaluate(run)];
    this.#charge(run.meter, [one, other]);
    if (one instanceof CelError) return one;
    if (other instanceof CelError) return other;
    const same = equal(one, other, run.meter);
    return this.#isEqual ? same : same !== true;
  }
}

/** `&&` and `||`: an operand that decides absorbs the errors of the others. */
export class LogicStep implements Step {
  readonly #decides: boolean;
  readonly #operands: readonly Step[];

  /** @param decides the operand that decides the result: false for `&&` */
  constructor(decides: boolean, operands: readonly Step[]) {
    this.#decides = decides;
    this.#operands = operands;
  }

  evaluate(run: Run): Value {
    let error: CelError | undefined;
    for (const operand of this.#operands) {
      const value = operand.evaluate(run);
      if (value === this.#decides) return value;
      if (typeof value !== 'boolean') error ??= noOverload(value);
    }
    return error ?? !this.#decides;
  }
}

/** `@not_strictly_false`, the condition of `all` and `exists`: true for errors. */
export class NotFalseStep implements Step {
  readonly #operand: Step;

  constructor(operand: Step) {
    this.#operand = operand;
  }

  evaluate(run: Run): Value {
    const value = this.#operand.evaluate(run);
    run.meter.charge(1);
    return value !== false;
  }
}

/** `a.or(b)` and `a.orValue(b)`. The second operand is evaluated only if it is needed. Both cost nothing. */
export class OrStep implements Step {
  readonly #one: Step;
  readonly #other: Step;
  readonly #unwraps: boolean;

  constructor(one: Step, other: Step, unwraps: boolean) {
    this.#one = one;
    this.#other = other;
    this.#unwraps = unwraps;
  }

  evaluate(run: Run): Value {
    const one = this.#one.evaluate(run);
    if (!(one instanceof OptionalValue)) return one;
    if (one.value === undefined) return this.#other.evaluate(run);
    return this.#unwraps ? one.value : one;
  }
}

/** `x in [constants]`. It costs only what `x` costs. */
export class MemberStep implements Step {
  readonly #operand: Step;
  readonly #members: MapValue;

  constructor(operand: Step, members: MapValue) {
    this.#operand = operand;
    this.#members = members;
  }

  evaluate(run: Run): Value {
    const value = this.#operand.evaluate(run);
    return value instanceof CelError ? value : this.#members.find(value) !== undefined;
  }
}

/** Returns the implementation of a function for the overloads that may apply. */
export function implementationOf(
  name: string,
  overloads: readonly Overload[],
  implementations: Implementations,
): Implementation {
  const singleton = SINGLETONS[name];
  if (singleton !== undefined) return singleton;
  const known = overloads.flatMap((overload) => {
    const implementation = implementations[overload.id];
    return implementation === undefined ? [] : [{ overload, implementation }];
  });
  return (runtime, ...args) => {
    const found = known.find(({ overload }) => accepts(overload.parameters, args));
    if (found !== undefined) return found.implementation(runtime, ...args);
    return new CelError(`${NO_OVERLOAD.message}: ${name}(${args.map(typeNameOf).join(', ')})`);
  };
}

function accepts(parameters: readonly Type[], args: readonly Value[]): boolean {
  return parameters.length === args.length && parameters.every((type, at) => isOf(type, args[at] ?? null));
}

/** Whether a value has a type. Of lists and maps, only the first element or entry is looked at, as in cel-go. */
function isOf(type: Type, value: Value): boolean {
  if (type.kind === 'dyn' || type.kind === 'param') return true;
  if (type.name !== typeNameOf(value)) return false;
  const [first, second] = type.parameters;
  if (value instanceof ListValue) return first === undefined || value.size === 0 || isOf(first, value.get(0));
  if (!(value instanceof MapValue) || first === undefined || second === undefined) return true;
  for (const key of value.keys()) return isOf(first, key) && isOf(second, value.find(key) ?? null);
  return true;
}

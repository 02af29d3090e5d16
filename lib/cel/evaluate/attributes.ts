import {
  CelError,
  indexOf,
  ListValue,
  MapValue,
  NONE,
  noOverload,
  OptionalValue,
  typeNameOf,
  Uint,
  type Value,
  withoutShape,
} from '../values/index.ts';
import type { Run, Step } from './step.ts';

/** A variable, a choice or another expression, followed by selections and indexes: `a.b[0].c`. */
export interface Attribute {
  resolve(run: Run): Value;
  add(qualifier: Qualifier): void;
}

/** Selects a part of a value. Each selection costs 1. */
export interface Qualifier {
  readonly optional: boolean;
  qualify(run: Run, value: Value): Value;
  /** Returns undefined if the value has no such part. This costs nothing. */
  qualifyIfPresent(run: Run, value: Value): Value | undefined;
}

/** The value of a step with its qualifiers. */
export class PathAttribute implements Attribute {
  readonly #start: (run: Run) => Value;
  readonly #qualifiers: Qualifier[] = [];

  constructor(start: (run: Run) => Value) {
    this.#start = start;
  }

  add(qualifier: Qualifier): void {
    this.#qualifiers.push(qualifier);
  }

  resolve(run: Run): Value {
    const start = this.#start(run);
    if (start instanceof CelError) return start;
    let isOptional = start instanceof OptionalValue;
    if (start instanceof OptionalValue && start.value === undefined) return start;
    let value = start instanceof OptionalValue ? withoutShape(start) : start;
    for (const qualifier of this.#qualifiers) {
      isOptional ||= qualifier.optional;
      const part = isOptional ? qualifier.qualifyIfPresent(run, value) : qualifier.qualify(run, value);
      if (part === undefined) return NONE;
      if (part instanceof CelError) return part;
      value = part;
    }
    return isOptional ? new OptionalValue(value) : value;
  }
}

/** `condition ? one : other`, whose branches share the qualifiers that follow. It costs nothing itself. */
export class ChoiceAttribute implements Attribute {
  readonly #condition: Step;
  readonly #one: Attribute;
  readonly #other: Attribute;

  constructor(condition: Step, one: Attribute, other: Attribute) {
    this.#condition = condition;
    this.#one = one;
    this.#other = other;
  }

  add(qualifier: Qualifier): void {
    this.#one.add(qualifier);
    this.#other.add(qualifier);
  }

  resolve(run: Run): Value {
    const condition = this.#condition.evaluate(run);
    if (condition === true) return this.#one.resolve(run);
    return condition === false ? this.#other.resolve(run) : noOverload(condition);
  }
}

/** The evaluation of an attribute. */
export class AttributeStep implements Step {
  readonly attribute: Attribute;
  readonly #isTest: boolean;

  /** @param isTest true for `has(a.b)`, whose selections cost something, but not the test itself */
  constructor(attribute: Attribute, isTest = false) {
    this.attribute = attribute;
    this.#isTest = isTest;
  }

  evaluate(run: Run): Value {
    const value = this.attribute.resolve(run);
    if (this.#isTest) return value instanceof OptionalValue ? value.value !== undefined : value;
    if (!(this.attribute instanceof ChoiceAttribute)) run.meter.charge(1);
    return value;
  }
}

/** `.name` and `[1]`. */
export class ConstantQualifier implements Qualifier {
  readonly optional: boolean;
  readonly #key: Value;

  constructor(key: Value, optional: boolean) {
    this.#key = key;
    this.optional = optional;
  }

  qualify(run: Run, value: Value): Value {
    run.meter.charge(1);
    return partOrError(value, this.#key);
  }

  qualifyIfPresent(run: Run, value: Value): Value | undefined {
    return charged(run, partOf(value, this.#key));
  }
}

/** The field in `has(a.b)`. */
export class TestQualifier implements Qualifier {
  readonly optional = false;
  readonly #key: Value;

  constructor(key: Value) {
    this.#key = key;
  }

  qualify(run: Run, value: Value): Value {
    const part = partOf(value, this.#key);
    run.meter.charge(1);
    return part instanceof CelError ? part : part !== undefined;
  }

  qualifyIfPresent(run: Run, value: Value): Value | undefined {
    return charged(run, partOf(value, this.#key));
  }
}

/** `[index]` with a computed index. */
export class ComputedQualifier implements Qualifier {
  readonly optional: boolean;
  readonly #resolve: (run: Run) => Value;

  constructor(resolve: (run: Run) => Value, optional: boolean) {
    this.#resolve = resolve;
    this.optional = optional;
  }

  qualify(run: Run, value: Value): Value {
    const key = keyOf(this.#resolve(run));
    run.meter.charge(1);
    return key instanceof CelError ? key : partOrError(value, key);
  }

  qualifyIfPresent(run: Run, value: Value): Value | undefined {
    const key = keyOf(this.#resolve(run));
    return key instanceof CelError ? key : charged(run, partOf(value, key));
  }
}

/** Charges for a part that exists. */
function charged(run: Run, part: Value | undefined): Value | undefined {
  if (part !== undefined && !(part instanceof CelError)) run.meter.charge(1);
  return part;
}

/** Returns the value if it can be an index or a key, else an error. */
export function keyOf(value: Value): Value {
  const isKey =
    value instanceof CelError ||
    value instanceof Uint ||
    ['string', 'bigint', 'number', 'boolean'].includes(typeof value);
  return isKey ? value : new CelError(`invalid qualifier type: ${typeNameOf(value)}`);
}

/** Returns the element or entry of a value; undefined if it does not exist. */
function partOf(value: Value, key: Value): Value | undefined {
  if (value instanceof CelError) return value;
  if (value instanceof MapValue) return value.find(key);
  if (!(value instanceof ListValue)) return undefined;
  const index = indexOf(key);
  if (index instanceof CelError) return index;
  return index >= 0 && index < value.size ? value.get(index) : undefined;
}

function partOrError(value: Value, key: Value): Value {
  const part = partOf(value, key);
  if (part !== undefined) return part;
  const text = key instanceof Uint ? String(key.value) : String(key);
  return new CelError(`${value instanceof ListValue ? 'index out of bounds' : 'no such key'}: ${text}`);
}

import type { Meter } from '../meter.ts';
import { equal } from './equal.ts';
import { CelError, ListValue, noOverload, Uint, type Value } from './value.ts';

abstract class PlainList extends ListValue {
  override equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    for (let at = 0; at < this.size; at += 1) {
      // cel-go takes elements that cannot be compared for equal.
      if (equal(this.get(at), other.get(at), meter) === false) return false;
    }
    return true;
  }

  override contains(value: Value, meter: Meter): boolean {
    for (const element of this) {
      if (equal(value, element, meter) === true) return true;
    }
    return false;
  }

  override add(other: Value, meter: Meter): Value {
    if (!(other instanceof ListValue)) return noOverload(other);
    if (this.size === 0) return other;
    if (other.size === 0) return this;
    meter.limit(this.size + other.size);
    return new ConcatenatedList(this, other);
  }
}

export class ArrayList extends PlainList {
  protected readonly values: Value[];

  constructor(values: Value[]) {
    super();
    this.values = values;
  }

  override get size(): number {
    return this.values.length;
  }

  override get(index: number): Value {
    return this.values[index] ?? null;
  }
}

/** The list that a comprehension builds. `add` appends in place. */
export class MutableList extends ArrayList {
  constructor() {
    super([]);
  }

  override add(other: Value, meter: Meter): Value {
    if (!(other instanceof ListValue)) return noOverload(other);
    meter.buildElements(other.size, this.size + other.size);
    const { size } = other;
    for (let at = 0; at < size; at += 1) this.values.push(other.get(at));
    return this;
  }

  /** Returns the list as it is now. No step of the comprehension may follow. */
  freeze(): ListValue {
    return new ArrayList(this.values);
  }
}

/** Two lists, one after the other. The depth of nested ones is bounded by the nesting of the expression. */
class ConcatenatedList extends PlainList {
  override readonly size: number;
  readonly #first: ListValue;
  readonly #second: ListValue;

  constructor(first: ListValue, second: ListValue) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  override get(index: number): Value {
    const { size } = this.#first;
    return index < size ? this.#first.get(index) : this.#second.get(index - size);
  }
}

/** Returns the index of an element, or the error of a value that is no index. */
export function indexOf(value: Value): number | CelError {
  const index = value instanceof Uint ? value.value : value;
  if (typeof index === 'bigint') {
    return index >= -1n && index < BigInt(Number.MAX_SAFE_INTEGER) ? Number(index) : -1;
  }
  if (typeof index === 'number') {
    return Number.isInteger(index) ? index : new CelError(`unsupported index value ${index} in list`);
  }
  return new CelError('unsupported index type in list');
}

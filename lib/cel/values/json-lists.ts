import type { Meter } from '../meter.ts';
import type { Shape } from '../shape.ts';
import { equal } from './equal.ts';
import { JsonMap } from './json-maps.ts';
import { AbortedError, type CelError, ListValue, MapValue, noOverload, type Value } from './value.ts';

type Convert = (json: unknown, shape: Shape) => Value;

/** A value that was added to a list and is no JSON. */
class Added {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * A list of an object, with the meaning that its schema gives it: the order of elements of a `set` or `map` does not
 * matter, and `+` unites sets and merges maps by their keys.
 */
export class JsonList extends ListValue {
  readonly #elements: readonly unknown[];
  readonly #shape: Shape;
  readonly #convert: Convert;

  constructor(elements: readonly unknown[], shape: Shape, convert: Convert) {
    super();
    this.#elements = elements;
    this.#shape = shape;
    this.#convert = convert;
  }

  override get size(): number {
    return this.#elements.length;
  }

  override get(index: number): Value {
    const element = this.#elements[index];
    const shape = this.#shape.element ?? this.#shape;
    return element instanceof Added ? this.#added(element.value, shape) : this.#convert(element, shape);
  }

  /** Returns a value that was added. It becomes an error if the schema does not allow it. */
  #added(value: Value, shape: Shape): Value {
    if (value instanceof JsonMap) return this.#convert(value.json, shape);
    if (typeof value !== 'bigint') return this.#convert(value, shape);
    const isInteger = shape.form === 'int' || shape.form === 'int-or-string' || shape.form === 'dyn';
    return isInteger ? value : this.#convert(Number(value), shape);
  }

  override contains(value: Value, meter: Meter): boolean | CelError {
    let error: CelError | undefined;
    for (const element of this) {
      const same = equal(element, value, meter);
      if (same === true) return true;
      if (same !== false) error ??= same;
    }
    return error ?? false;
  }

  override equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof ListValue)) return noOverload(other);
    if (other.size !== this.size) return false;
    meter.work(this.size);
    if (this.#shape.listType === 'set') {
      const own = new Set(this.#elements.map(nativeOf));
      for (const element of nativesOf(other)) {
        if (!own.has(element)) return false;
      }
      return true;
    }
    if (this.#shape.listType === 'map') return this.#equalsByKey(other, meter);
    for (let at = 0; at < this.size; at += 1) {
      const same = equal(this.get(at), other.get(at), meter);
      if (same !== true) return same;
    }
    return true;
  }

  #equalsByKey(other: ListValue, meter: Meter): boolean | CelError {
    const own = new Map(this.#elements.map((element, at) => [this.#keyOf(element), at]));
    for (const [at, element] of elementsOf(other).entries()) {
      const place = own.get(this.#keyOf(element));
      if (place === undefined) return false;
      const same = equal(this.get(place), other.get(at), meter);
      if (same !== true) return same;
    }
    return true;
  }

  override add(other: Value, meter: Meter): Value {
    if (!(other instanceof ListValue)) return noOverload(other);
    meter.buildElements(this.size + other.size);
    const merged = this.#merge(elementsOf(other));
    return new JsonList(merged, this.#shape, this.#convert);
  }

  #merge(others: readonly unknown[]): readonly unknown[] {
    const { listType } = this.#shape;
    if (listType !== 'set' && listType !== 'map') return [...this.#elements, ...others];
    const keyOf = (element: unknown) => (listType === 'set' ? nativeOf(element) : this.#keyOf(element));
    const merged = [...this.#elements];
    const places = new Map(merged.map((element, at) => [keyOf(element), at]));
    for (const element of others) {
      const key = keyOf(element);
      const place = places.get(key);
      if (place === undefined) {
        places.set(key, merged.length);
        merged.push(element);
      } else if (listType === 'map') {
        merged[place] = element;
      }
    }
    return merged;
  }

  /** Returns the values of an element's keys as one text. Elements that are no objects equal nothing. */
  #keyOf(element: unknown): unknown {
    const json = element instanceof Added && element.value instanceof MapValue ? element.value.json : element;
    if (typeof json !== 'object' || json === null || json instanceof Added) return Symbol('no key');
    const fields = json as Readonly<Record<string, unknown>>;
    return JSON.stringify(
      (this.#shape.listKeys ?? []).map((key) => (Object.hasOwn(fields, key) ? fields[key] : null)),
    );
  }

  /** Returns the elements without their schema. */
  rawElements(convert: (json: unknown) => Value): Value[] {
    return this.#elements.map((element) => (element instanceof Added ? element.value : convert(element)));
  }

  /** The elements as JSON, or as values that were added. */
  get elements(): readonly unknown[] {
    return this.#elements;
  }
}

function elementsOf(list: ListValue): readonly unknown[] {
  if (list instanceof JsonList) return list.elements;
  return [...list].map((value) => new Added(value));
}

function nativesOf(list: ListValue): readonly unknown[] {
  return elementsOf(list).map(nativeOf);
}

/** Returns an element in a form that a set can hold. */
function nativeOf(element: unknown): unknown {
  const value = element instanceof Added ? element.value : element;
  const isUnhashable =
    element instanceof Added
      ? value instanceof ListValue || value instanceof MapValue || value instanceof Uint8Array
      : typeof value === 'object' && value !== null;
  if (isUnhashable) throw new AbortedError('a list or a map cannot be an element of a set');
  return typeof value === 'bigint' ? Number(value) : value;
}

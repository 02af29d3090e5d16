import type { Meter } from '../meter.ts';
import { equal } from './equal.ts';
import { CelError, MapValue, Uint, type Value } from './value.ts';

interface Entry {
  readonly key: Value;
  readonly value: Value;
}

/** A map of an expression. Ints, uints and doubles with the same value find each other's entries. */
export class EntryMap extends MapValue {
  readonly #entries = new Map<unknown, Entry>();
  readonly #uints = new Map<bigint, Entry>();

  override get size(): number {
    return this.#entries.size + this.#uints.size;
  }

  override find(key: Value): Value | undefined {
    if (key instanceof Uint) return (this.#uints.get(key.value) ?? this.#entries.get(key.value))?.value;
    const found = this.#entries.get(key);
    if (found !== undefined || (typeof key !== 'bigint' && typeof key !== 'number')) return found?.value;
    if (typeof key === 'bigint') return this.#uints.get(key)?.value;
    if (!Number.isInteger(key)) return undefined;
    const whole = BigInt(key);
    return (this.#entries.get(whole) ?? this.#uints.get(whole))?.value;
  }

  override *keys(): Generator<Value, undefined> {
    for (const { key } of this.#entries.values()) yield key;
    for (const { key } of this.#uints.values()) yield key;
  }

  override equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof MapValue) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const found = other.find(key);
      // cel-go takes values that cannot be compared for equal.
      if (found === undefined || equal(this.find(key) ?? null, found, meter) === false) return false;
    }
    return true;
  }

  protected put(key: Value, value: Value): void {
    if (key instanceof Uint) {
      this.#uints.set(key.value, { key, value });
    } else {
      this.#entries.set(key, { key, value });
    }
  }

  protected remove(key: Value): void {
    if (key instanceof Uint) {
      this.#uints.delete(key.value);
    } else {
      this.#entries.delete(key);
    }
  }
}

/** A map that a literal or a comprehension builds. */
export class MutableMap extends EntryMap {
  set(key: Value, value: Value): void {
    this.put(key, value);
  }

  delete(key: Value): void {
    this.remove(key);
  }

  /** Adds an entry in place. */
  insert(key: Value, value: Value, meter: Meter): Value {
    if (this.find(key) !== undefined) return new CelError('insert failed: key already exists');
    meter.build(this.size + 1);
    this.put(key, value);
    return this;
  }

  /** Returns the map as it is now. No step of the comprehension may follow. */
  freeze(): MapValue {
    return this;
  }
}

import type { Meter } from '../meter.ts';
import { equal } from './equal.ts';
import { typeNameOf } from './type-of.ts';
import {
  AbortedError,
  CelError,
  Duration,
  MapValue,
  OpaqueValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

interface Entry {
  readonly key: Value;
  readonly value: Value;
}

/** A map that compares as those of expressions do. */
export abstract class PlainMap extends MapValue {
  override equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof MapValue) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const found = other.find(key);
      // cel-go takes values that cannot be compared for equal.
      if (found === undefined || equal(this.find(key) ?? null, found, meter) === false) return false;
    }
    return true;
  }
}

/** A map of an expression. Ints, uints and doubles with the same value find each other's entries. */
export class EntryMap extends PlainMap {
  readonly #entries = new Map<unknown, Entry>();
  /** Entries whose keys are objects, by a text for each value. */
  readonly #named = new Map<string, Entry>();

  override get size(): number {
    return this.#entries.size + this.#named.size;
  }

  override find(key: Value): Value | undefined {
    // An empty map is not searched, so that it takes any key.
    if (this.size === 0) return undefined;
    const found = this.#at(key);
    if (found !== undefined) return found.value;
    if (key instanceof Uint) return this.#entries.get(key.value)?.value;
    if (typeof key === 'bigint') return this.#named.get(uintName(key))?.value;
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    const whole = BigInt(key);
    return (this.#entries.get(whole) ?? this.#named.get(uintName(whole)))?.value;
  }

  #at(key: Value): Entry | undefined {
    const name = nameOf(key);
    return name === undefined ? this.#entries.get(key) : this.#named.get(name);
  }

  override *keys(): Generator<Value, undefined> {
    for (const { key } of this.#entries.values()) yield key;
    for (const { key } of this.#named.values()) yield key;
  }

  protected put(key: Value, value: Value): void {
    const name = nameOf(key);
    if (name === undefined) {
      this.#entries.set(key, { key, value });
    } else {
      this.#named.set(name, { key, value });
    }
  }

  protected remove(key: Value): void {
    this.#entries.delete(key);
    this.#named.delete(nameOf(key) ?? '');
  }
}

function uintName(value: bigint): string {
  return `uint ${value}`;
}

/**
 * Returns the name of a key that is an object; undefined for others, which a JavaScript map compares by value.
 *
 * @throws {AbortedError} for a key that Go cannot hash
 */
function nameOf(key: Value): string | undefined {
  if (key instanceof Uint) return uintName(key.value);
  if (key instanceof Duration) return `duration ${key.nanos}`;
  if (key instanceof Timestamp) return `timestamp ${key.nanos} ${key.offset}`;
  if (key instanceof TypeValue) return `type ${key.name}`;
  const isUnhashable = key instanceof Uint8Array || (key instanceof OpaqueValue && !key.isHashable);
  if (isUnhashable) throw new AbortedError(`a value of type ${typeNameOf(key)} cannot be a key`);
  return key instanceof OpaqueValue ? key.key : undefined;
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
    meter.buildElements(1, this.size + 1);
    this.put(key, value);
    return this;
  }

  /** Returns the map as it is now. No step of the comprehension may follow. */
  freeze(): MapValue {
    return this;
  }
}

import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import { isJsonObject } from '../../../lib/json/index.ts';
import type { Field, Message } from '../../../lib/kubernetes/fields/index.ts';
import type { SeededRandom } from '../../bench/inputs/random.ts';
import type { SchemaType } from './custom-type.ts';

/** The parts from which values of a type are generated. */
export interface Growing {
  readonly scalars: readonly JsonValue[];
  readonly list?: { readonly item: () => Growing; readonly keys: readonly string[] };
  readonly map?: { readonly fields: ReadonlyMap<string, () => Growing>; readonly rest?: () => Growing };
}

const TEXTS = ['a', 'b', 'c', '<a&b>', 'é', 'a"\\\n', '', '𐀀', '\uffff'];
const NUMBERS = [0, 1, 2, 10, 1.5, -3];
const KEYS = ['a', 'b', 'x/y', 'é', 'constructor', '__proto__', '𐀀', '\uffff'];
const ANY: Growing = {
  scalars: ['a', 'b', 1, 2, true],
  list: { item: () => ANY, keys: [] },
  map: { fields: new Map(), rest: () => ANY },
};

export function growingMessage(message: Message): Growing {
  return {
    scalars: [],
    map: { fields: new Map([...message.fields].map(([name, field]) => [name, () => growingField(field)])) },
  };
}

export function growingType({ scalar, list, map, namedType }: SchemaType): Growing {
  if (namedType !== undefined) return ANY;
  if (list !== undefined) {
    return { scalars: [], list: { item: () => growingType(list.elementType), keys: list.keys ?? [] } };
  }
  if (map === undefined) return { scalars: scalarsOf(scalar) };
  const { fields = [], elementType } = map;
  return {
    scalars: [],
    map: {
      fields: new Map(fields.map(({ name, type }) => [name, () => growingType(type)])),
      ...(elementType === undefined ? {} : { rest: () => growingType(elementType) }),
    },
  };
}

function growingField(field: Field): Growing {
  const value = () => growingValue(field);
  if (field.container === '') return value();
  if (field.container === 'l') return { scalars: [], list: { item: value, keys: field.keys } };
  const list: Growing = { scalars: [], list: { item: value, keys: [] } };
  return { scalars: [], map: { fields: new Map(), rest: field.container === 'm' ? value : () => list } };
}

function growingValue({ type, message }: Field): Growing {
  if (message !== undefined) return growingMessage(message);
  switch (type) {
    case 'int32':
    case 'int64':
    case 'uint64':
    case 'double':
      return { scalars: NUMBERS };
    case 'bool':
      return { scalars: [true, false] };
    case 'Quantity':
    case 'IntOrString':
      return { scalars: [1, '1', '1000m', '50%'] };
    case 'Raw':
    case 'JSON':
      return ANY;
    default:
      return { scalars: TEXTS };
  }
}

function scalarsOf(scalar: SchemaType['scalar']): readonly JsonValue[] {
  if (scalar === 'numeric') return NUMBERS;
  if (scalar === 'boolean') return [true, false];
  return scalar === 'string' ? TEXTS : [...TEXTS, ...NUMBERS, true];
}

export interface Chances {
  /** The chance of a value of a wrong type, or of an unknown field. */
  readonly wrong: number;
  /** The chance of an element that the list already has. */
  readonly repeated: number;
}

/** Generates values of a type, and variations of them. */
export class Gardener {
  readonly #random: SeededRandom;
  readonly #chances: Chances;
  /** The fields of a type that occur at all, so that values share fields. The key is the list of all names. */
  readonly #chosen: Map<string, readonly string[]>;

  constructor(random: SeededRandom, chances: Chances, chosen: Map<string, readonly string[]>) {
    this.#random = random;
    this.#chances = chances;
    this.#chosen = chosen;
  }

  grow(growing: Growing, depth: number): JsonValue {
    if (this.#random.chance(0.02)) return null;
    if (this.#random.chance(this.#chances.wrong)) {
      return this.#random.pick<JsonValue>(['w', 7, true, ['w'], { w: 1 }]);
    }
    const { scalars, list, map } = growing;
    const deep = depth > 0 || scalars.length === 0;
    const choices = [scalars.length > 0 && 's', deep && list && 'l', deep && map && 'm'].filter(Boolean);
    switch (this.#random.pick(choices)) {
      case 'l':
        return this.#growList(growing, depth);
      case 'm':
        return this.#growMap(growing, depth);
      default:
        return this.#random.pick(scalars);
    }
  }

  /** Returns `value` with parts dropped, changed, added or reordered. */
  vary(growing: Growing, value: JsonValue, depth: number): JsonValue {
    if (this.#random.chance(0.12)) return this.grow(growing, depth);
    if (isJsonObject(value) && growing.map !== undefined) return this.#varyMap(growing, value, depth);
    if (Array.isArray(value) && growing.list !== undefined) return this.#varyList(growing, value, depth);
    return value;
  }

  #growMap(growing: Growing, depth: number): JsonObject {
    const grown: JsonObject = {};
    for (const name of this.#namesOf(growing)) {
      if (this.#random.chance(depth > 2 ? 0.5 : 0.35)) {
        this.#put(grown, name, this.#growMember(growing, name, depth));
      }
    }
    if (this.#random.chance(this.#chances.wrong)) this.#put(grown, 'unknown', 1);
    return grown;
  }

  #varyMap(growing: Growing, value: JsonObject, depth: number): JsonObject {
    const varied: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      const type = memberOf(growing, name);
      if (this.#random.chance(0.15)) continue;
      this.#put(varied, name, type === undefined ? member : this.vary(type, member, depth - 1));
    }
    for (const name of this.#namesOf(growing)) {
      if (this.#random.chance(0.08)) this.#put(varied, name, this.#growMember(growing, name, depth));
    }
    return varied;
  }

  #growMember(growing: Growing, name: string, depth: number): JsonValue {
    const type = memberOf(growing, name);
    return type === undefined ? 1 : this.grow(type, depth - 1);
  }

  #growList({ list }: Growing, depth: number): JsonValue[] {
    if (list === undefined) return [];
    const items: JsonValue[] = [];
    const count = depth < -2 ? 1 : this.#random.below(4);
    for (let at = 0; at < count; at++) this.#add(items, this.#growItem(list, depth), list.keys);
    return items;
  }

  #varyList(growing: Growing, value: readonly JsonValue[], depth: number): JsonValue[] {
    const { list } = growing;
    if (list === undefined) return [...value];
    const items: JsonValue[] = [];
    const kept = value.filter(() => this.#random.chance(0.85));
    const ordered = this.#random.chance(0.3) ? this.#random.sample(kept, kept.length) : kept;
    for (const item of ordered) {
      const varied = this.#withKeys(list, this.vary(list.item(), item, depth - 1));
      this.#add(items, varied, list.keys);
    }
    if (this.#random.chance(0.35)) {
      items.splice(this.#random.below(items.length + 1), 0, ...this.#added(items, list, depth));
    }
    return items;
  }

  #added(items: readonly JsonValue[], list: NonNullable<Growing['list']>, depth: number): JsonValue[] {
    const more = [...items];
    this.#add(more, this.#growItem(list, depth), list.keys);
    return more.slice(items.length);
  }

  #growItem(list: NonNullable<Growing['list']>, depth: number): JsonValue {
    return this.#withKeys(list, this.grow(list.item(), depth - 1));
  }

  /**
   * Adds the keys of an element. A key is missing by chance: half of the time if it has a default, otherwise rarely.
   */
  #withKeys({ item, keys }: NonNullable<Growing['list']>, value: JsonValue): JsonValue {
    const type = item();
    if (keys.length === 0) return value === null ? this.#nothing(type) : value;
    const element: JsonObject = isJsonObject(value) ? { ...value } : {};
    for (const key of keys) {
      const { scalars } = memberOf(type, key) ?? { scalars: ['a'] };
      const left = key === 'p' || key === 'protocol' ? 0.5 : this.#chances.wrong;
      if (this.#random.chance(left)) {
        delete element[key];
      } else {
        element[key] ??= this.#random.pick(scalars.slice(0, 3));
      }
    }
    return element;
  }

  /** The smallest value that an element may have. A set has no null. */
  #nothing({ scalars, list }: Growing): JsonValue {
    if (this.#random.chance(this.#chances.wrong)) return null;
    if (scalars.length > 0) return this.#random.pick(scalars);
    return list === undefined ? {} : [];
  }

  #add(items: JsonValue[], item: JsonValue, keys: readonly string[]): void {
    const same = (other: JsonValue) => identity(other, keys) === identity(item, keys);
    if (!items.some(same) || this.#random.chance(this.#chances.repeated)) items.push(item);
  }

  #put(map: JsonObject, name: string, value: JsonValue): void {
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  }

  #namesOf({ map }: Growing): readonly string[] {
    if (map === undefined) return [];
    const names = map.fields.size === 0 ? KEYS : [...map.fields.keys()];
    const all = names.join();
    const chosen = this.#chosen.get(all) ?? this.#random.sample(names, Math.min(names.length, 6));
    this.#chosen.set(all, chosen);
    return chosen;
  }
}

function memberOf({ map }: Growing, name: string): Growing | undefined {
  return (map?.fields.get(name) ?? map?.rest)?.();
}

function identity(item: JsonValue, keys: readonly string[]): string {
  if (keys.length === 0 || !isJsonObject(item)) return JSON.stringify(item);
  return JSON.stringify(keys.map((key) => item[key] ?? (key === 'p' ? 1 : key === 'protocol' ? 'TCP' : '')));
}

import {
  ArrayList,
  CelError,
  compare,
  Duration,
  equal,
  ListValue,
  MapValue,
  MutableMap,
  NONE,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/index.ts';
import { type Implementation, type Implementations, type Runtime, typed } from './implementation.ts';
import { add } from './operators.ts';

const SUMMED: readonly (readonly [type: string, zero: Value])[] = [
  ['int', 0n],
  ['uint', new Uint(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
];

const COMPARED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** Functions of lists, maps, sets and optionals, by overload id. */
export const COLLECTIONS: Implementations = {
  ...Object.fromEntries(SUMMED.map(([type, zero]) => [`list_${type}_sum_${type}`, sumFrom(zero)])),
  ...Object.fromEntries(
    COMPARED.flatMap((type) => [
      [`list_${type}_is_sorted_bool`, typed(isSorted)],
      [`list_${type}_min_${type}`, extreme('min', (order) => order > 0)],
      [`list_${type}_max_${type}`, extreme('max', (order) => order < 0)],
    ]),
  ),
  list_a_index_of_int: typed(({ meter }, list: ListValue, value: Value) => {
    for (let at = 0; at < list.size; at += 1) {
      if (equal(list.get(at), value, meter) === true) return BigInt(at);
    }
    return -1n;
  }),
  list_a_last_index_of_int: typed(({ meter }, list: ListValue, value: Value) => {
    for (let at = list.size - 1; at >= 0; at -= 1) {
      if (equal(list.get(at), value, meter) === true) return BigInt(at);
    }
    return -1n;
  }),
  list_first: typed((_, list: ListValue) => (list.size === 0 ? NONE : new OptionalValue(list.get(0)))),
  list_last: typed((_, list: ListValue) =>
    list.size === 0 ? NONE : new OptionalValue(list.get(list.size - 1)),
  ),
  list_sets_contains_list: typed(contains),
  list_sets_equivalent_list: typed((runtime, one: ListValue, other: ListValue) => {
    const first = contains(runtime, one, other);
    return first === true ? contains(runtime, other, one) : first;
  }),
  list_sets_intersects_list: typed(({ meter }, one: ListValue, other: ListValue) => {
    for (const value of one) {
      if (other.contains(value, meter) === true) return true;
    }
    return false;
  }),
  '@mapInsert_map_key_value': typed(insert),
  '@mapInsert_map_map': typed((runtime, map: MapValue, update: MapValue) => {
    let all: Value = map;
    for (const key of update.keys()) {
      if (!(all instanceof MapValue)) return all;
      all = insert(runtime, all, key, update.find(key) ?? null);
    }
    return all;
  }),
  optional_of: (_, value = null) => new OptionalValue(value),
  optional_ofNonZeroValue: (_, value = null) => (isZero(value) ? NONE : new OptionalValue(value)),
  optional_none: () => NONE,
  optional_value: typed((_, { value }: OptionalValue) =>
    value === undefined ? new CelError('optional.none() dereference') : value,
  ),
  optional_hasValue: typed((_, { value }: OptionalValue) => value !== undefined),
  optional_unwrap: typed(unwrap),
  optional_unwrapOpt: typed(unwrap),
};

function sumFrom(zero: Value): Implementation {
  return typed((runtime, list: ListValue) => {
    let sum = zero;
    for (const value of list) {
      sum = add(sum, value, runtime);
      if (sum instanceof CelError) return sum;
    }
    return sum;
  });
}

function isSorted(_: Runtime, list: ListValue): Value {
  let before: Value | undefined;
  for (const value of list) {
    if (value instanceof CelError) return value;
    const order = before === undefined ? 0 : compare(before, value);
    if (typeof order === 'number' && order > 0) return false;
    before = value;
  }
  return true;
}

/** Returns the function for the first element to which no later one is preferred. */
function extreme(name: string, isWorse: (order: number) => boolean): Implementation {
  return typed((_, list: ListValue) => {
    let best: Value | undefined;
    for (const value of list) {
      if (value instanceof CelError) return value;
      const order = best === undefined ? 0 : compare(best, value);
      if (best === undefined || (typeof order === 'number' && isWorse(order))) best = value;
    }
    return best === undefined ? new CelError(`${name} called on empty list`) : best;
  });
}

function contains({ meter }: Runtime, list: ListValue, part: ListValue): Value {
  for (const value of part) {
    const found = list.contains(value, meter);
    if (found !== true) return found;
  }
  return true;
}

function insert({ meter }: Runtime, map: MapValue, key: Value, value: Value): Value {
  if (map instanceof MutableMap) return map.insert(key, value, meter);
  const copy = new MutableMap();
  meter.buildElements(map.size);
  for (const each of map.keys()) copy.set(each, map.find(each) ?? null);
  return copy.insert(key, value, meter);
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  // Go's zero time is the first moment of year 1.
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n;
  if (value instanceof Uint8Array) return value.length === 0;
  return (value instanceof ListValue || value instanceof MapValue) && value.size === 0;
}

function unwrap(_: Runtime, list: ListValue): Value {
  const values: Value[] = [];
  for (const each of list) {
    if (!(each instanceof OptionalValue)) {
      return new CelError('optional.unwrap: the list has elements that are no optionals');
    }
    if (each.value !== undefined) values.push(each.value);
  }
  return new ArrayList(values);
}

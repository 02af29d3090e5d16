import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Scalar, Shape } from './shape.ts';

/** The kinds of a shape that remain for a value: one, or all if the value does not determine the kind. */
export interface Kinds {
  readonly map: boolean;
  readonly scalar: boolean;
  readonly list: boolean;
}

/** The handlers for values of each kind. */
export interface KindHandler<Result> {
  map(shape: NonNullable<Shape['map']>): Result;
  list(shape: NonNullable<Shape['list']>): Result;
  scalar(shape: Scalar): Result;
}

/** Returns the kinds of `shape` that the value determines. Null and values that fit no kind leave all kinds. */
export function kindsOf(shape: Shape, value: JsonValue | undefined): Kinds {
  const has: Kinds = {
    map: shape.map !== undefined,
    scalar: shape.scalar !== undefined,
    list: shape.list !== undefined,
  };
  if (value === undefined || value === null) return has;
  if (Array.isArray(value)) return has.list ? { map: false, scalar: false, list: true } : has;
  if (isJsonObject(value)) return has.map ? { map: true, scalar: false, list: false } : has;
  return has.scalar ? { map: false, scalar: true, list: false } : has;
}

export function sameKinds(a: Kinds, b: Kinds): boolean {
  return a.map === b.map && a.scalar === b.scalar && a.list === b.list;
}

/** Calls the handler of the first kind: map, scalar, list. @throws Error if the shape accepts no kind */
export function handleAs<Result>(shape: Shape, kinds: Kinds, handler: KindHandler<Result>): Result {
  if (kinds.map && shape.map !== undefined) return handler.map(shape.map);
  if (kinds.scalar && shape.scalar !== undefined) return handler.scalar(shape.scalar);
  if (kinds.list && shape.list !== undefined) return handler.list(shape.list);
  throw new Error('a shape takes a map, a list or a scalar');
}

export function asMap(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns the map's own member; inherited keys such as `constructor` are ignored. */
export function memberOf(map: JsonObject | undefined, key: string): JsonValue | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the keys of both maps, each once. */
export function keysOfBoth(a: JsonObject | undefined, b: JsonObject | undefined): Iterable<string> {
  return new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
}

/** Whether two containers are treated as one value: the type is atomic, or both are empty. */
export function isLeaf(atomic: boolean, ...sizes: readonly number[]): boolean {
  return atomic || sizes.every((size) => size === 0);
}

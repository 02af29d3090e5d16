import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Scalar, Shape } from './shape.ts';

/** Which of its kinds a shape has for a value: one, or all where the value does not say. */
export interface Kinds {
  readonly map: boolean;
  readonly scalar: boolean;
  readonly list: boolean;
}

/** What is done for a value of each kind. */
export interface KindHandler<Result> {
  map(shape: NonNullable<Shape['map']>): Result;
  list(shape: NonNullable<Shape['list']>): Result;
  scalar(shape: Scalar): Result;
}

/** The kinds left of `shape` when the value decides between them; null and what fits none decide nothing. */
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

/** Handles a value as the first of its kinds: map, scalar, list. @throws Error a shape that takes nothing */
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

/** The own member of a map; a key such as `constructor` is none. */
export function memberOf(map: JsonObject | undefined, key: string): JsonValue | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** The keys of both maps, each once. */
export function keysOfBoth(a: JsonObject | undefined, b: JsonObject | undefined): Iterable<string> {
  return new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
}

/** Whether two containers are to be treated as one value: owned as a whole, or nothing in either. */
export function isLeaf(atomic: boolean, ...sizes: readonly number[]): boolean {
  return atomic || sizes.every((size) => size === 0);
}

import type { JsonValue } from '../../json/index.ts';
import { mergeListElements } from './merge-list.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';
import { asList, asMap, handleAs, isLeaf, keysOfBoth, kindsOf, memberOf } from './value-kind.ts';

/**
 * Merges `applied` into `live`. Nothing is removed; where both have a value, `applied` wins. Lists follow the order
 * of `applied` where it defines one. Undefined if nothing is left.
 *
 * Both values fit the shape. Only lists of `live` may have several elements with the same key.
 */
export function mergeValues(
  shape: Shape,
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
): JsonValue | undefined {
  const kinds = kindsOf(shape, applied === undefined ? live : applied);
  return handleAs<JsonValue | undefined>(shape, kinds, {
    scalar: () => orLive(live, applied),
    map: (map) => mergeMaps(map, live, applied),
    list: (list) => mergeLists(list, live, applied),
  });
}

function orLive(live: JsonValue | undefined, applied: JsonValue | undefined): JsonValue | undefined {
  return applied === undefined ? live : applied;
}

function mergeMaps(map: MapShape, live: JsonValue | undefined, applied: JsonValue | undefined) {
  const before = asMap(live);
  const after = asMap(applied);
  if (isLeaf(map.atomic, Object.keys(before ?? {}).length, Object.keys(after ?? {}).length)) {
    return orLive(live, applied);
  }
  const merged = [...keysOfBoth(before, after)].flatMap((key): [string, JsonValue][] => {
    const shape = map.field(key) ?? map.rest;
    const value = shape && mergeValues(shape, memberOf(before, key), memberOf(after, key));
    return value === undefined ? [] : [[key, value]];
  });
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}

function mergeLists(list: ListShape, live: JsonValue | undefined, applied: JsonValue | undefined) {
  const before = asList(live) ?? [];
  const after = asList(applied) ?? [];
  if (isLeaf(list.atomic, before.length, after.length)) return orLive(live, applied);
  const merged = mergeListElements(list, before, after).flatMap((pair) => {
    const value = mergeValues(list.element, pair.live, pair.applied);
    return value === undefined ? [] : [value];
  });
  return merged.length === 0 ? undefined : merged;
}

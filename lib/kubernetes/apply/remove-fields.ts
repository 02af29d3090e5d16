import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { FieldSet } from './field-set.ts';
import { elementOf } from './list-element.ts';
import { fieldElement } from './path-element.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';
import { handleAs, kindsOf } from './value-kind.ts';

/**
 * Returns `value` without the fields of the set. A list or map becomes null if it is atomic or if nothing is left.
 */
export function removeFields(shape: Shape, value: JsonValue, fields: FieldSet): JsonValue {
  return handleAs<JsonValue>(shape, kindsOf(shape, value), {
    scalar: () => value,
    map: (map) => (map.atomic || !isJsonObject(value) ? null : withoutMembers(map, value, fields)),
    list: (list) => (list.atomic || !Array.isArray(value) ? null : withoutItems(list, value, fields)),
  });
}

function withoutMembers(map: MapShape, value: JsonObject, fields: FieldSet): JsonValue {
  const kept = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    const element = fieldElement(key);
    if (fields.has([element])) return [];
    return [[key, withoutBelow(map.field(key) ?? map.rest, member, fields.below(element))]];
  });
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function withoutItems(list: ListShape, items: readonly JsonValue[], fields: FieldSet): JsonValue {
  const kept = items.flatMap((item) => {
    const element = elementOf(list, item);
    if (element === undefined) return [item];
    return fields.has([element]) ? [] : [withoutBelow(list.element, item, fields.below(element))];
  });
  return kept.length === 0 ? null : kept;
}

function withoutBelow(shape: Shape | undefined, value: JsonValue, fields: FieldSet): JsonValue {
  return shape === undefined || fields.isEmpty ? value : removeFields(shape, value, fields);
}

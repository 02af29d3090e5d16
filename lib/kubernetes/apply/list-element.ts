import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { compareText } from './go-format.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';
import type { ListShape } from './shape.ts';

/** A list element that cannot be identified. */
export class ListElementError extends Error {
  override name = 'ListElementError';
}

/**
 * Returns the identity of an element of a list that is not atomic: its keys, or the element itself in a set.
 * @throws {ListElementError}
 */
export function listElement(list: ListShape, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

/** Like {@link listElement}; undefined if nothing identifies the element. */
export function elementOf(list: ListShape, item: JsonValue): PathElement | undefined {
  try {
    return listElement(list, item);
  } catch (error) {
    if (error instanceof ListElementError) return undefined;
    throw error;
  }
}

/** Returns each element with its identity. Elements without an identity are omitted. */
export function listElements(list: ListShape, items: readonly JsonValue[]): [PathElement, JsonValue][] {
  return items.flatMap((item): [PathElement, JsonValue][] => {
    const element = elementOf(list, item);
    return element === undefined ? [] : [[element, item]];
  });
}

function keyedElement(list: ListShape, item: JsonValue): PathElement {
  if (item === null) throw new ListElementError('associative list with keys may not have a null element');
  if (!isJsonObject(item)) {
    throw new ListElementError('associative list with keys may not have non-map elements');
  }
  const keys: JsonObject = {};
  for (const name of list.keys.toSorted(compareText)) {
    const value = Object.hasOwn(item, name) ? item[name] : list.element.map?.keyDefault?.(name);
    if (value === undefined) {
      throw new ListElementError(
        `associative list with keys has an element that omits key field "${name}" (and doesn't have default value)`,
      );
    }
    keys[name] = value;
  }
  return keyElement(keys);
}

function setElement(item: JsonValue): PathElement {
  if (item === null) {
    throw new ListElementError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    throw new ListElementError('not supported: associative list with lists as elements');
  }
  if (isJsonObject(item)) {
    throw new ListElementError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { FieldSet } from './field-set.ts';
import { listElements } from './list-element.ts';
import { fieldElement, type Path, type PathElement } from './path-element.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';
import { handleAs, kindsOf } from './value-kind.ts';

/** Returns every field that a value contains: leaves, list elements and map keys. */
export function fieldsOfValue(shape: Shape, value: JsonValue): FieldSet {
  const walker = new Walker();
  walker.walk(shape, value, []);
  return walker.found;
}

class Walker {
  readonly found = new FieldSet();

  walk(shape: Shape, value: JsonValue, path: Path): void {
    handleAs(shape, kindsOf(shape, value), {
      scalar: () => this.found.insert(path),
      map: (map) => (map.atomic ? this.found.insert(path) : this.#members(map, value, path)),
      list: (list) => (list.atomic ? this.found.insert(path) : this.#items(list, value, path)),
    });
  }

  #members(map: MapShape, value: JsonValue, path: Path): void {
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const field = map.field(key);
      const shape = field ?? map.rest;
      const own = [...path, fieldElement(key)];
      if (shape !== undefined) this.walk(shape, member, own);
      if (field === undefined || member === null || isEmptyMap(member)) this.found.insert(own);
    }
  }

  /** Adds the elements of a list. Repeated elements are owned together, as one. */
  #items(list: ListShape, value: JsonValue, path: Path): void {
    const items = listElements(list, Array.isArray(value) ? value : []);
    const twice = repeated(items.map(([element]) => element));
    for (const [element, item] of items) {
      const own = [...path, element];
      if (!twice.has(element)) this.walk(list.element, item, own);
      this.found.insert(own);
    }
  }
}

function isEmptyMap(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function repeated(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const seen = new Set<PathElement>();
  return new Set(elements.filter((element) => seen.size === seen.add(element).size));
}

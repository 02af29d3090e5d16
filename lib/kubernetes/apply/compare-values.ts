import { type JsonValue, jsonEquals } from '../../json/index.ts';
import { FieldSet } from './field-set.ts';
import { listElements } from './list-element.ts';
import { fieldElement, type Path, type PathElement } from './path-element.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';
import {
  asList,
  asMap,
  handleAs,
  isLeaf,
  type Kinds,
  keysOfBoth,
  kindsOf,
  memberOf,
  sameKinds,
} from './value-kind.ts';

/** The difference between two values. The three sets are disjoint. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Returns the changes from `before` to `after`. Both fit the shape; lists may have several elements with the same
 * key.
 */
export function compareValues(shape: Shape, before: JsonValue, after: JsonValue): Comparison {
  const comparer = new Comparer();
  comparer.compare(shape, { before, after }, []);
  return comparer.found;
}

/** The value on each side; undefined where a side has no value. */
interface Sides<Value = JsonValue> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

class Comparer {
  readonly found: Comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };

  compare(shape: Shape, sides: Sides, path: Path): void {
    const before = kindsOf(shape, sides.before);
    const after = kindsOf(shape, sides.after);
    if (sides.before !== undefined && sides.after !== undefined && !sameKinds(before, after)) {
      this.#compareAs(shape, before, sides, path);
    }
    const whole = this.#compareAs(shape, sides.after === undefined ? before : after, sides, path);
    if (whole) return;
    if (sides.before === undefined) {
      this.found.added.insert(path);
    } else if (sides.after === undefined) this.found.removed.insert(path);
  }

  /** Compares with the handler of the value's kind. Returns whether the values were compared as a whole. */
  #compareAs(shape: Shape, kinds: Kinds, sides: Sides, path: Path): boolean {
    return handleAs<boolean>(shape, kinds, {
      scalar: () => this.#leaf(sides, path),
      map: (map) => this.#maps(map, sides, path),
      list: (list) => this.#lists(list, sides, path),
    });
  }

  #leaf({ before, after }: Sides, path: Path): true {
    if (before === undefined) {
      this.found.added.insert(path);
    } else if (after === undefined) {
      this.found.removed.insert(path);
    } else if (!jsonEquals(before, after)) this.found.modified.insert(path);
    return true;
  }

  #maps(map: MapShape, sides: Sides, path: Path): boolean {
    const before = asMap(sides.before);
    const after = asMap(sides.after);
    if (isLeaf(map.atomic, Object.keys(before ?? {}).length, Object.keys(after ?? {}).length)) {
      return this.#leaf(sides, path);
    }
    for (const key of keysOfBoth(before, after)) {
      const shape = map.field(key) ?? map.rest;
      const members = { before: memberOf(before, key), after: memberOf(after, key) };
      if (shape !== undefined) this.compare(shape, members, [...path, fieldElement(key)]);
    }
    return false;
  }

  #lists(list: ListShape, sides: Sides, path: Path): boolean {
    const before = asList(sides.before) ?? [];
    const after = asList(sides.after) ?? [];
    if (isLeaf(list.atomic, before.length, after.length)) return this.#leaf(sides, path);
    const left = byElement(list, before);
    const right = byElement(list, after);
    for (const element of new Set([...left.keys(), ...right.keys()])) {
      const items = { before: left.get(element) ?? [], after: right.get(element) ?? [] };
      this.#items(list.element, items, [...path, element]);
    }
    return false;
  }

  /**
   * Compares elements with the same key. Repeated elements count as one item; only the fact that it changed is
   * recorded.
   */
  #items(shape: Shape, { before, after }: { before: JsonValue[]; after: JsonValue[] }, path: Path): void {
    if (before.length <= 1 && after.length <= 1) {
      this.compare(shape, { before: before[0], after: after[0] }, path);
      return;
    }
    if (before.length >= 2 && after.length >= 2) {
      if (!jsonEquals(before, after)) this.found.modified.insert(path);
      return;
    }
    const [first] = before.length >= 2 ? after : before;
    if (before.length >= 2) {
      if (first !== undefined) this.compare(shape, { before: undefined, after: first }, path);
      this.found.removed.insert(path);
      return;
    }
    if (first !== undefined) this.compare(shape, { before: first, after: undefined }, path);
    this.found.added.insert(path);
  }
}

function byElement(list: ListShape, items: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const grouped = new Map<PathElement, JsonValue[]>();
  for (const [element, item] of listElements(list, items)) {
    const same = grouped.get(element);
    if (same === undefined) {
      grouped.set(element, [item]);
    } else {
      same.push(item);
    }
  }
  return grouped;
}

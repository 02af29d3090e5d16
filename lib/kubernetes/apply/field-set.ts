import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import {
  comparePathElements,
  fieldNameOf,
  isKeyElement,
  type Path,
  type PathElement,
  PathElementError,
  parsePathElement,
} from './path-element.ts';
import type { Shape } from './shape.ts';

/** The entry of one path element: whether the field itself is in the set, and the fields below it. */
interface Node {
  readonly member: boolean;
  readonly below: FieldSet;
}

/**
 * A set of fields of an object, stored as paths. Membership of a field implies nothing about its parents or children.
 * Only {@link insert} changes a set, while the set is being built. Results of operations share parts with their
 * operands.
 *
 * Follows Set of sigs.k8s.io/structured-merge-diff/v4/fieldpath.
 */
export class FieldSet {
  readonly #nodes = new Map<PathElement, Node>();

  /** Parses FieldsV1. @throws {PathElementError} if a key is not a path element */
  static fromFieldsV1(fields: JsonObject): FieldSet {
    return readNodes(fields).below;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Returns FieldsV1, in the order in which Kubernetes writes it. */
  toFieldsV1(): JsonObject {
    return Object.fromEntries(this.#sorted().map(([element, node]) => [element, toFields(node)]));
  }

  /** Adds the field at `path`. The empty path stands for the whole object, which has no owner, and is not added. */
  insert(path: Path): void {
    let set: FieldSet = this;
    for (const [at, element] of path.entries()) {
      const { member, below } = set.#nodes.get(element) ?? { member: false, below: new FieldSet() };
      set.#nodes.set(element, { member: member || at === path.length - 1, below });
      set = below;
    }
  }

  has(path: Path): boolean {
    const [first, ...rest] = path;
    const node = first === undefined ? undefined : this.#nodes.get(first);
    if (node === undefined) return false;
    return rest.length === 0 ? node.member : node.below.has(rest);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** Returns the fields below `element`, without `element` itself. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.below ?? NOTHING;
  }

  /** Yields, in order, the elements at this level: the members, and the parents of members. */
  *elements(): Iterable<readonly [element: PathElement, member: boolean]> {
    for (const [element, { member }] of this.#sorted()) yield [element, member];
  }

  union(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return other.isEmpty ? this : other;
    return this.#combine(other, [...this.#nodes.keys(), ...other.#nodes.keys()], (a, b) => ({
      member: a.member || b.member,
      below: a.below.union(b.below),
    }));
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return NOTHING;
    return this.#combine(other, this.#nodes.keys(), (a, b) => ({
      member: a.member && b.member,
      below: a.below.intersection(b.below),
    }));
  }

  /** Returns this set without the fields of `other`. Fields below a removed field stay. */
  difference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#combine(other, this.#nodes.keys(), (a, b) => ({
      member: a.member && !b.member,
      below: a.below.difference(b.below),
    }));
  }

  /** Returns this set without the fields of `other` and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#combine(other, this.#nodes.keys(), (a, b) =>
      b.member ? ABSENT : { member: a.member, below: a.below.recursiveDifference(b.below) },
    );
  }

  /**
   * Returns this set plus every declared field that is a parent of a member: `a.b.c` adds `a`, unless `a` is the key
   * of a map.
   */
  withNamedFields(shape: Shape | undefined): FieldSet {
    const named = new FieldSet();
    for (const [element, { member, below }] of this.#nodes) {
      const name = fieldNameOf(element);
      const field = name === undefined ? undefined : shape?.map?.field(name);
      const leads = !below.isEmpty && field !== undefined;
      const next = stepInto(shape, element);
      named.#nodes.set(element, { member: member || leads, below: below.withNamedFields(next) });
    }
    return named;
  }

  /** Yields every path. A field comes before the fields below it and below its siblings. */
  *paths(prefix: Path = []): Iterable<Path> {
    const nodes = this.#sorted();
    for (const [element, { member }] of nodes) {
      if (member) yield [...prefix, element];
    }
    for (const [element, { below }] of nodes) yield* below.paths([...prefix, element]);
  }

  #combine(other: FieldSet, elements: Iterable<PathElement>, combine: (a: Node, b: Node) => Node): FieldSet {
    const result = new FieldSet();
    for (const element of elements) {
      const node = combine(this.#nodes.get(element) ?? ABSENT, other.#nodes.get(element) ?? ABSENT);
      if (node.member || !node.below.isEmpty) result.#nodes.set(element, node);
    }
    return result;
  }

  #sorted(): (readonly [PathElement, Node])[] {
    return [...this.#nodes].sort(([a], [b]) => comparePathElements(a, b));
  }
}

const NOTHING = new FieldSet();
const ABSENT: Node = { member: false, below: NOTHING };

/** Returns the shape that a path element leads to; undefined if `shape` does not define it. */
function stepInto(shape: Shape | undefined, element: PathElement): Shape | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return shape?.map?.field(name) ?? shape?.map?.rest;
  return isKeyElement(element) ? shape?.list?.element : undefined;
}

function toFields({ member, below }: Node): JsonObject {
  const fields = below.toFieldsV1();
  return member && !below.isEmpty ? { '.': {}, ...fields } : fields;
}

/** Parses FieldsV1 below one element. A field with nothing below it is itself a member. */
function readNodes(fields: JsonValue): Node {
  if (fields !== null && !isJsonObject(fields)) throw new PathElementError('fields are objects in objects');
  const below = new FieldSet();
  let member = false;
  for (const [key, value] of Object.entries(fields ?? {})) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element === undefined) continue;
    const node = readNodes(value);
    if (node.member) below.insert([element]);
    for (const path of node.below.paths([element])) below.insert(path);
  }
  return { member: member || below.isEmpty, below };
}

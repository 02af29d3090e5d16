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

/** What a set says of one step: whether the field itself is in it, and what is in it below. */
interface Node {
  readonly member: boolean;
  readonly below: FieldSet;
}

/**
 * Fields of an object, as paths. A field being in the set says nothing of those around or below it. Only
 * {@link insert} changes a set, while it is being made; what operations give shares parts with what they were given.
 *
 * As sigs.k8s.io/structured-merge-diff/v4/fieldpath, Set.
 */
export class FieldSet {
  readonly #nodes = new Map<PathElement, Node>();

  /** The set that FieldsV1 says. @throws {PathElementError} a key is not one */
  static fromFieldsV1(fields: JsonObject): FieldSet {
    return readNodes(fields).below;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** As FieldsV1, in the order in which Kubernetes writes it. */
  toFieldsV1(): JsonObject {
    return Object.fromEntries(this.#sorted().map(([element, node]) => [element, toFields(node)]));
  }

  /** Adds the field at `path`; the whole object, `[]`, has no owner and is not added. */
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

  /** The fields below one step, without it. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.below ?? NOTHING;
  }

  /** What is directly in the set, and what leads to something that is, in order. */
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

  /** Without the fields of `other`; what is below one of them stays. */
  difference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#combine(other, this.#nodes.keys(), (a, b) => ({
      member: a.member && !b.member,
      below: a.below.difference(b.below),
    }));
  }

  /** Without the fields of `other` and all that is below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return this.#combine(other, this.#nodes.keys(), (a, b) =>
      b.member ? ABSENT : { member: a.member, below: a.below.recursiveDifference(b.below) },
    );
  }

  /** With every field of a type that leads to something in the set: with `a.b.c` also `a`, unless that is a map's key. */
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

  /** Every path, a field's own before those below it and beside it. */
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

/** The shape of what a step of a path leads to, where the shape around it says. */
function stepInto(shape: Shape | undefined, element: PathElement): Shape | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return shape?.map?.field(name) ?? shape?.map?.rest;
  return isKeyElement(element) ? shape?.list?.element : undefined;
}

function toFields({ member, below }: Node): JsonObject {
  const fields = below.toFieldsV1();
  return member && !below.isEmpty ? { '.': {}, ...fields } : fields;
}

/** Nothing below makes the field itself a member. */
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

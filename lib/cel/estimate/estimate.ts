import type { CallExpression, ComprehensionExpression, Expression, SelectExpression } from '../ast.ts';
import type { Checked } from '../checked.ts';
import type { Type } from '../types.ts';
import { callCost } from './call-costs.ts';
import { libraryCost } from './library-costs.ts';
import type { CallCost, Operand, SizeOf } from './operand.ts';
import { Path } from './path.ts';
import { add, EMPTY, fixed, multiply, NOTHING, ONE, type Range, UNKNOWN, union } from './range.ts';

/**
 * Returns the smallest and largest cost of a checked expression, as kube-apiserver estimates it. `sizeOf` knows the
 * largest sizes of variables and their parts.
 */
export function estimate(checked: Checked, sizeOf: SizeOf): Range {
  return new Coster(checked, sizeOf).cost(checked.expression);
}

/** The sizes of a container's keys and values. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** What is known about a variable of a loop. */
interface Local {
  readonly path: Path | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySize | undefined;
}

const LIST = fixed(10n);
const MAP = fixed(30n);
const STRUCT = fixed(40n);

class Coster {
  readonly #checked: Checked;
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<number, Path | undefined>();
  readonly #locals = new Map<string, Local[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySize>();

  constructor(checked: Checked, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  cost(node: Expression): Range {
    switch (node.kind) {
      case 'constant':
        return NOTHING;
      case 'identifier': {
        const local = this.#local(node.name);
        this.#paths.set(node.id, local === undefined ? Path.of(node.name) : local.path);
        return ONE;
      }
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return add(
          LIST,
          ...node.elements.map((each) => this.cost(each)),
          this.#listEntries(node.id, node.elements),
        );
      case 'map':
        return this.#map(node);
      case 'struct':
        return add(STRUCT, ...node.fields.map(({ value }) => this.cost(value)));
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#loop(node);
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name) ?? [];
    this.#locals.set(name, stack);
    stack.push(local);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #type({ id }: Expression): Type | undefined {
    return this.#checked.types.get(id);
  }

  #path(node: Expression): Path | undefined {
    const local = node.kind === 'identifier' ? this.#local(node.name) : undefined;
    return local === undefined ? this.#paths.get(node.id) : local.path;
  }

  #select(node: SelectExpression): Range {
    const operand = this.cost(node.operand);
    if (node.testOnly) return operand;
    const kind = this.#type(node.operand)?.kind;
    this.#paths.set(node.id, Path.append(this.#path(node.operand), node.field));
    return kind === 'map' || kind === 'struct' || kind === 'param' ? add(operand, ONE) : operand;
  }

  #call(node: CallExpression): Range {
    if (node.function === 'dyn') return this.#dynamic(node);
    const costs: Range[] = [];
    const args = node.args.map((each) => {
      costs.push(this.cost(each));
      return this.#operand(each);
    });
    const reference = this.#checked.references.get(node.id);
    if (reference?.kind !== 'function') return NOTHING;
    const targetCost = node.target === undefined ? NOTHING : this.cost(node.target);
    const target = node.target && this.#operand(node.target);
    let cost = EMPTY;
    let size: Range | undefined;
    for (const overload of reference.overloads) {
      const called = this.#overload(node, overload, { target, args, costs });
      cost = union(cost, called.cost);
      if (called.size !== undefined) size = size === undefined ? called.size : union(size, called.size);
      const part = overload === 'index_list' ? '@items' : overload === 'index_map' ? '@values' : undefined;
      const [container] = node.args;
      if (part !== undefined && container !== undefined) {
        size = this.#entriesOf(container)?.value;
        this.#paths.set(node.id, Path.append(this.#path(container), part));
      }
      size ??= this.#size(node);
    }
    if (size !== undefined) this.#sizes.set(node.id, size);
    return add(targetCost, cost);
  }

  /** `dyn(x)` has the sizes of x. */
  #dynamic(node: CallExpression): Range {
    const [arg] = node.args;
    if (arg === undefined) return ONE;
    const cost = add(ONE, this.cost(arg));
    this.#copySizes(node, arg);
    return cost;
  }

  #overload(
    node: CallExpression,
    overload: string,
    call: {
      readonly target: Operand | undefined;
      readonly args: readonly Operand[];
      readonly costs: readonly Range[];
    },
  ): CallCost {
    const library = libraryCost(node.function, { ...call, overload, sizeOf: this.#sizeOf });
    if (library !== undefined) return { ...library, cost: add(library.cost, ...call.costs) };
    if (JOINING.has(overload)) {
      const [left, right] = node.args.slice(-2).map((each) => this.#entriesOf(each));
      if (left !== undefined && right !== undefined) this.#entries.set(node.id, entryUnion(left, right));
    }
    return callCost(overload, call);
  }

  #operand(node: Expression): Operand {
    const path = this.#path(node);
    const isAccumulator = path?.parts[0] === '__result__' || path?.parts[0] === '@result';
    return { node, type: this.#type(node), path: isAccumulator ? undefined : path, size: this.#size(node) };
  }

  #listEntries(id: number, elements: readonly Expression[]): Range {
    const start = elements.length === 0 ? NOTHING : EMPTY;
    const value = elements.reduce((range, each) => union(range, this.#size(each) ?? UNKNOWN), start);
    this.#entries.set(id, { container: 'list', key: ONE, value });
    return NOTHING;
  }

  #map({ id, entries }: Extract<Expression, { kind: 'map' }>): Range {
    let cost = MAP;
    let [key, value] = entries.length === 0 ? [NOTHING, NOTHING] : [EMPTY, EMPTY];
    for (const entry of entries) {
      cost = add(cost, this.cost(entry.key), this.cost(entry.value));
      key = union(key, this.#size(entry.key) ?? UNKNOWN);
      value = union(value, this.#size(entry.value) ?? UNKNOWN);
    }
    this.#entries.set(id, { container: 'map', key, value });
    return cost;
  }

  /** A comprehension that only names a value. */
  #binding(node: ComprehensionExpression): Range {
    const before = add(this.cost(node.range), this.cost(node.start));
    this.#pushValue(node.accumulator, node.start);
    const cost = add(before, this.cost(node.result));
    this.#pop(node.accumulator);
    this.#copySizes(node, node.result);
    return cost;
  }

  #pushValue(name: string, node: Expression): void {
    const path = this.#path(node);
    const entries = this.#entriesOf(node);
    this.#push(name, { path, size: this.#size(node), entries });
  }

  #loop(node: ComprehensionExpression): Range {
    const before = add(this.cost(node.range), this.cost(node.start));
    this.#pushValue(node.accumulator, node.start);
    this.#pushVariables(node);
    const each = add(this.cost(node.condition), this.cost(node.step));
    this.#pop(node.variable);
    if (node.variable2 !== undefined) this.#pop(node.variable2);
    const result = this.cost(node.result);
    this.#pop(node.accumulator);
    const count = this.#size(node.range) ?? UNKNOWN;
    this.#keepSizes(node, count);
    return add(before, result, multiply(count, each));
  }

  #pushVariables({ range, variable, variable2 }: ComprehensionExpression): void {
    const entries = this.#entriesOf(range);
    const isList = (entries?.container ?? this.#type(range)?.kind) === 'list';
    const push = (name: string, part: string, size: Range | undefined): void => {
      this.#push(name, { path: Path.append(this.#path(range), part), size, entries: undefined });
    };
    if (variable2 === undefined) {
      push(variable, isList ? '@items' : '@keys', isList ? entries?.value : entries?.key);
      return;
    }
    push(variable, isList ? '@indices' : '@keys', entries?.key);
    push(variable2, isList ? '@items' : '@values', entries?.value);
  }

  #keepSizes({ id, start, step }: ComprehensionExpression, count: Range): void {
    if (start.kind === 'constant') this.#setSize(id, this.#size(start));
    if (start.kind !== 'list' && start.kind !== 'map') return;
    this.#sizes.set(id, count);
    const entries = this.#entriesOf(step);
    if (entries !== undefined) this.#entries.set(id, entries);
  }

  #copySizes({ id }: Expression, from: Expression): void {
    this.#setSize(id, this.#size(from));
    const entries = this.#entriesOf(from);
    if (entries !== undefined) this.#entries.set(id, entries);
  }

  #setSize(id: number, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(id, size);
  }

  #size(node: Expression): Range | undefined {
    const known = this.#sizes.get(node.id) ?? literalSize(node);
    if (known !== undefined) return known;
    const path = this.#path(node);
    const most = path && this.#sizeOf(path.parts);
    if (most !== undefined) {
      const size = { min: 0n, max: most };
      this.#sizes.set(node.id, size);
      return size;
    }
    if (isScalar(this.#type(node))) return ONE;
    return node.kind === 'identifier' ? this.#local(node.name)?.size : undefined;
  }

  #entriesOf(node: Expression): EntrySize | undefined {
    const known = this.#entries.get(node.id);
    if (known !== undefined || node.kind !== 'identifier') return known;
    return this.#local(node.name)?.entries;
  }
}

/** Overloads whose result has the entries of both operands; of `?:`, of the last two. */
const JOINING: ReadonlySet<string> = new Set(['conditional', 'add_string', 'add_bytes', 'add_list']);

function entryUnion(left: EntrySize, right: EntrySize): EntrySize {
  return {
    container: left.container,
    key: union(left.key, right.key),
    value: union(left.value, right.value),
  };
}

function isBinding({ range, condition, accumulator }: ComprehensionExpression): boolean {
  const isEmpty = range.kind === 'list' && range.elements.length === 0;
  const never =
    condition.kind === 'constant' && condition.constant.type === 'bool' && !condition.constant.value;
  return isEmpty && never && accumulator !== '__result__';
}

function literalSize(node: Expression): Range | undefined {
  if (node.kind === 'list') return fixed(BigInt(node.elements.length));
  if (node.kind === 'map') return fixed(BigInt(node.entries.length));
  if (node.kind !== 'constant') return undefined;
  const { constant } = node;
  if (constant.type === 'string') return fixed(BigInt([...constant.value].length));
  return constant.type === 'bytes' ? fixed(BigInt(constant.value.length)) : ONE;
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.kind === 'opaque' && type.name === 'optional_type') return isScalar(type.parameters[0]);
  return SCALARS.has(type.kind);
}

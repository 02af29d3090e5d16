import type { CallExpression, ComprehensionExpression, Constant, Expression, MapEntry } from '../ast.ts';
import { LimitFault } from './token-reader.ts';

/** The accumulator of a macro. The lexer reads no such name, so that no expression can use it. */
export const ACCUMULATOR = '@result';

/** The limit of nodes. Macros that copy their operand can make more of them than the text has characters. */
const MOST_NODES = 200_000;

/** Makes the nodes of one tree. Ids start at 1 and follow the order of cel-go's parser. */
export class TreeBuilder {
  readonly offsets = new Map<number, number>();
  #next = 1;

  /** Returns a new id for a node at this place. Without a place, {@link place} gives it one later. */
  id(offset: number | undefined): number {
    const id = this.#next;
    if (id > MOST_NODES) throw new LimitFault(`expression has more than ${MOST_NODES} nodes`);
    this.#next += 1;
    if (offset !== undefined) this.offsets.set(id, offset);
    return id;
  }

  place(id: number, offset: number): void {
    this.offsets.set(id, offset);
  }

  /** Gives up the id of a call that became a macro. */
  remove(id: number): void {
    this.offsets.delete(id);
    if (id === this.#next - 1) this.#next -= 1;
  }

  constant(id: number, constant: Constant): Expression {
    return { kind: 'constant', id, constant };
  }

  identifier(id: number, name: string): Expression {
    return { kind: 'identifier', id, name };
  }

  call(id: number, name: string, args: readonly Expression[], target?: Expression): CallExpression {
    return { kind: 'call', id, function: name, target, args };
  }
}

/** Makes the nodes that a macro expands to. All have the place of the macro's call. */
export class MacroBuilder {
  readonly #tree: TreeBuilder;
  readonly #offset: number | undefined;

  constructor(tree: TreeBuilder, call: number) {
    this.#tree = tree;
    this.#offset = tree.offsets.get(call);
  }

  #id(): number {
    return this.#tree.id(this.#offset);
  }

  bool(value: boolean): Expression {
    return this.#tree.constant(this.#id(), { type: 'bool', value });
  }

  int(value: bigint): Expression {
    return this.#tree.constant(this.#id(), { type: 'int', value });
  }

  identifier(name: string): Expression {
    return this.#tree.identifier(this.#id(), name);
  }

  accumulator(): Expression {
    return this.identifier(ACCUMULATOR);
  }

  list(...elements: readonly Expression[]): Expression {
    return { kind: 'list', id: this.#id(), elements, optionalIndices: [] };
  }

  emptyMap(): Expression {
    return { kind: 'map', id: this.#id(), entries: [] };
  }

  call(name: string, ...args: readonly Expression[]): Expression {
    return this.#tree.call(this.#id(), name, args);
  }

  memberCall(name: string, target: Expression): Expression {
    return this.#tree.call(this.#id(), name, [], target);
  }

  presence(operand: Expression, field: string): Expression {
    return { kind: 'select', id: this.#id(), operand, field, testOnly: true };
  }

  comprehension(parts: Omit<ComprehensionExpression, 'kind' | 'id'>): Expression {
    return { kind: 'comprehension', id: this.#id(), ...parts };
  }

  /** Copies an expression with new ids. */
  copy(expression: Expression): Expression {
    const id = this.#tree.id(this.#tree.offsets.get(expression.id));
    switch (expression.kind) {
      case 'constant':
      case 'identifier':
        return { ...expression, id };
      case 'select':
        return { ...expression, id, operand: this.copy(expression.operand) };
      case 'call': {
        const args = expression.args.map((each) => this.copy(each));
        const target = expression.target && this.copy(expression.target);
        return { ...expression, id, args, target };
      }
      case 'list':
        return { ...expression, id, elements: expression.elements.map((each) => this.copy(each)) };
      case 'map':
        return { ...expression, id, entries: expression.entries.map((each) => this.#copyEntry(each)) };
      case 'struct':
        return {
          ...expression,
          id,
          fields: expression.fields.map((each) => ({
            ...each,
            id: this.#id(),
            value: this.copy(each.value),
          })),
        };
      case 'comprehension':
        return {
          ...expression,
          id,
          range: this.copy(expression.range),
          start: this.copy(expression.start),
          condition: this.copy(expression.condition),
          step: this.copy(expression.step),
          result: this.copy(expression.result),
        };
    }
  }

  #copyEntry(entry: MapEntry): MapEntry {
    const id = this.#id();
    return { ...entry, id, key: this.copy(entry.key), value: this.copy(entry.value) };
  }
}

import type { Expression } from '../ast.ts';
import { LimitFault } from './token-reader.ts';

/** The limit of nested grammar rules and of nested nodes. */
const DEEPEST = 250;

/**
 * Bounds the nesting of a text and of its tree, so that neither parsing nor evaluation exhausts the stack. Long chains
 * of `&&` and `||` are balanced and do not count.
 */
export class Depth {
  readonly #rules = new Map<string, number>();
  readonly #heights = new Map<Expression, number>();

  /** Parses one rule of the grammar. @throws {LimitFault} the rule is nested too often */
  within(rule: string, parse: () => Expression): Expression {
    const depth = (this.#rules.get(rule) ?? 0) + 1;
    if (depth > DEEPEST) throw new LimitFault(`expression recursion limit exceeded: ${DEEPEST}`);
    this.#rules.set(rule, depth);
    const expression = parse();
    this.#rules.set(rule, depth - 1);
    return expression;
  }

  /** Adds one to the height of a node's parts. @throws {LimitFault} the tree is too high */
  count(expression: Expression): Expression {
    const height = 1 + Math.max(this.#heights.get(expression) ?? 0, this.#highest(partsOf(expression)));
    if (height > DEEPEST) throw new LimitFault('max recursion depth exceeded');
    this.#heights.set(expression, height);
    return expression;
  }

  /** Gives a node the height of its parts. */
  keep(expression: Expression): Expression {
    return this.of(expression, partsOf(expression));
  }

  /** Gives a node the height of the highest of these. */
  of(expression: Expression, parts: readonly Expression[]): Expression {
    const height = this.#highest(parts);
    if (height > 0) this.#heights.set(expression, height);
    return expression;
  }

  #highest(parts: readonly Expression[]): number {
    return parts.reduce((height, part) => Math.max(height, this.#heights.get(part) ?? 0), 0);
  }
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined ? expression.args : [...expression.args, expression.target];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    default:
      return [];
  }
}

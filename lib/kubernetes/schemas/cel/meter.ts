import type { Budget } from './budget.ts';
import { METERED } from './functions.ts';

/** A node of the library's tree. The library sets its `evaluate` at the first evaluation. */
interface Evaluable {
  readonly op: string;
  readonly args: unknown;
  evaluate: (...of: unknown[]) => unknown;
}

/** Operators that read all of their operands. */
const READING: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '+']);

/** Functions that do not read all of their arguments. */
const GLANCING: ReadonlySet<string> = new Set([
  ...['has', 'all', 'exists', 'exists_one', 'map', 'filter', 'size', 'type', 'dyn', METERED],
  ...['hasValue', 'value', 'orValue', 'or', 'of', 'none'],
]);

/**
 * Makes every node of a tree pay for its evaluation. It pays one unit, plus the size of its value if the parent reads
 * it or the node creates it. The tree must not have been checked yet.
 */
export function meter(ast: unknown, budget: Budget): void {
  visit(ast as Evaluable, budget, false);
}

function visit(node: Evaluable, budget: Budget, isRead: boolean): void {
  const name = node.op === 'call' || node.op === 'rcall' ? String((node.args as unknown[])[0]) : node.op;
  const isCall = name !== node.op;
  const reads = READING.has(name) || (isCall && !GLANCING.has(name));
  charge(node, budget, isRead || (isCall && reads) || node.op === '+');
  for (const operand of operandsOf(node.args)) visit(operand, budget, reads || name === 'size');
}

function charge(node: Evaluable, budget: Budget, isWhole: boolean): void {
  let own = node.evaluate;
  const evaluate = (...of: unknown[]) => {
    budget.spend(1);
    const value = own.apply(node, of);
    if (isWhole) budget.read(value);
    return value;
  };
  Object.defineProperty(node, 'evaluate', {
    get: () => evaluate,
    set: (next: Evaluable['evaluate']) => {
      own = next;
    },
  });
}

function operandsOf(args: unknown): Evaluable[] {
  if (Array.isArray(args)) return args.flatMap(operandsOf);
  return typeof args === 'object' && args !== null && 'op' in args ? [args as Evaluable] : [];
}

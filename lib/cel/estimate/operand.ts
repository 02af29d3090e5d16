import type { Expression } from '../ast.ts';
import type { Type } from '../types.ts';
import type { Path } from './path.ts';
import { type Range, UNKNOWN } from './range.ts';

/** The largest size of the value at a path; undefined if nothing is known. The first part is the variable. */
export type SizeOf = (path: readonly string[]) => bigint | undefined;

/** What is known about an operand of a call. */
export interface Operand {
  readonly node: Expression | undefined;
  readonly type: Type | undefined;
  readonly path: Path | undefined;
  /** The size that follows from the expression or the schema. */
  readonly size: Range | undefined;
}

/** The cost of a call without its operands, and the size of its result if it has one. */
export interface CallCost {
  readonly cost: Range;
  readonly size?: Range;
}

export function sizeOrUnknown(operand: Operand | undefined): Range {
  return operand?.size ?? UNKNOWN;
}

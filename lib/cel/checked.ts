import type { Constant, Parsed } from './ast.ts';
import type { Type } from './types.ts';

/** An expression that type-checks. Its tree has the whole names of variables and functions. */
export interface Checked extends Parsed {
  /** The type of each node by id. No type contains a parameter: what stayed open is `dyn`. */
  readonly types: ReadonlyMap<number, Type>;
  /** What identifiers, calls and struct literals refer to, by the id of the node. */
  readonly references: ReadonlyMap<number, Reference>;
  /** The type of the whole expression. */
  readonly type: Type;
}

export type Reference = IdentifierReference | FunctionReference;

/** A variable, a type or a named constant. */
export interface IdentifierReference {
  readonly kind: 'identifier';
  readonly name: string;
  readonly constant: Constant | undefined;
}

/** The overloads that may apply at run time. More than one stays where operands are dynamic. */
export interface FunctionReference {
  readonly kind: 'function';
  readonly overloads: readonly string[];
}

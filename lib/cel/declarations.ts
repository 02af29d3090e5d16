import type { Constant } from './ast.ts';
import type { Implementations } from './functions/index.ts';
import type { Shape } from './shape.ts';
import type { Type } from './types.ts';
import type { MapValue, Value } from './values/index.ts';

/** One signature of a function. Its id is cel-go's: `add_int64`, `string_to_timestamp`, `optional_or_optional`. */
export interface Overload {
  readonly id: string;
  /** True if the first parameter is the receiver: `x.contains(y)`. */
  readonly member: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

export interface VariableDeclaration {
  readonly name: string;
  readonly type: Type;
  /** The value of a named constant. */
  readonly constant?: Constant;
}

/** Functions that are loaded apart from the language's own. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  /** Functions that only stored expressions may use. */
  readonly stored: readonly FunctionDeclaration[];
  /** Types that expressions can name. */
  readonly types: readonly Type[];
  readonly implementations: Implementations;
}

/** What an expression may use: variables, functions, and struct types by name. */
export interface Environment {
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** The implementations of the functions by overload id. */
  readonly implementations: Implementations;
  /** The shapes of struct types by name. Expressions can name those that `typeNames` has too. */
  readonly structs: ReadonlyMap<string, Shape>;
  /** Types that expressions can name, such as `int` and `net.IP`. */
  readonly typeNames: ReadonlyMap<string, Type>;
  /** Makes the value of a struct literal from its fields. Absent: such literals have no value. */
  readonly construct?: (name: string, fields: MapValue) => Value;
}

/** A node of an expression's syntax tree. Ids are unique in one tree, and are cel-go's for the same text. */
export type Expression =
  | ConstantExpression
  | IdentifierExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

/** A literal value. Integers are `bigint`, doubles are `number`. */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

export interface ConstantExpression {
  readonly kind: 'constant';
  readonly id: number;
  readonly constant: Constant;
}

/** A name. In a checked tree it is the whole name of the variable or type, which may contain dots. */
export interface IdentifierExpression {
  readonly kind: 'identifier';
  readonly id: number;
  readonly name: string;
}

/** `operand.field`; with `testOnly`, `has(operand.field)`. */
export interface SelectExpression {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/**
 * A call of a function or operator. Operators have cel-go's names: `_+_`, `_[_]`, `_?_:_`, `!_`, `-_`, `@in`, `_&&_`,
 * `_?._` and `_[?_]`. `target` is the receiver of a member function. In a checked tree, the call of a function with a
 * qualified name (`optional.of(x)`) has that name and no target.
 */
export interface CallExpression {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`. `optionalIndices` are the places of the elements that were written with `?`. */
export interface ListExpression {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expression[];
  readonly optionalIndices: readonly number[];
}

/** `{key: value, ?key: value}` */
export interface MapExpression {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value, ?field: value}` */
export interface StructExpression {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/**
 * The loop of an expanded macro. For each element of `range` while `condition` is true, `accumulator` becomes `step`.
 * The value is `result`. With `variable2`, `variable` is the index or key, and `variable2` the element or value.
 */
export interface ComprehensionExpression {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expression;
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly start: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The text of an expression, its tree, and for each node's id the offset of the node in the text, in code points. */
export interface Parsed {
  readonly text: string;
  readonly expression: Expression;
  readonly offsets: ReadonlyMap<number, number>;
}

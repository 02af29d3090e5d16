import type {
  CallExpression,
  ComprehensionExpression,
  Constant,
  Expression,
  ListExpression,
  MapExpression,
  Parsed,
  SelectExpression,
  StructExpression,
} from '../ast.ts';
import type { Checked, Reference } from '../checked.ts';
import type { Environment, FunctionDeclaration, Overload } from '../declarations.ts';
import { ExpressionError, type Issue } from '../issues.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  type Type,
  UINT,
} from '../types.ts';
import { Bindings, TypesTooLargeError } from './bindings.ts';
import { formatOperands, formatType } from './format-type.ts';
import { Scopes } from './scopes.ts';

/**
 * Gives each node of an expression its type, and resolves its names and overloads, as cel-go's checker does. Literals with
 * elements of several types have dynamic elements.
 *
 * @throws {ExpressionError} with all faults
 */
export function checkTypes(parsed: Parsed, environment: Environment): Checked {
  const checker = new Checker(parsed, environment);
  const expression = checker.whole();
  if (checker.issues.length > 0) throw new ExpressionError(parsed.text, checker.issues);
  const types = checker.finalTypes();
  return {
    text: parsed.text,
    offsets: parsed.offsets,
    expression,
    types,
    references: checker.references,
    type: types.get(expression.id) ?? DYN,
  };
}

class Checker {
  readonly issues: Issue[] = [];
  readonly references = new Map<number, Reference>();
  readonly #types = new Map<number, Type>();
  readonly #bindings = new Bindings();
  readonly #scopes: Scopes;
  readonly #parsed: Parsed;
  readonly #environment: Environment;

  constructor(parsed: Parsed, environment: Environment) {
    this.#parsed = parsed;
    this.#environment = environment;
    this.#scopes = new Scopes(environment);
  }

  whole(): Expression {
    return this.#bounded(() => this.#check(this.#parsed.expression));
  }

  finalTypes(): ReadonlyMap<number, Type> {
    return this.#bounded(
      () => new Map([...this.#types].map(([id, type]) => [id, this.#bindings.substitute(type, true)])),
    );
  }

  #bounded<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TypesTooLargeError)) throw error;
      throw new ExpressionError(this.#parsed.text, [{ offset: undefined, message: error.message }]);
    }
  }

  #report(id: number, message: string): void {
    this.issues.push({ offset: this.#parsed.offsets.get(id), message });
  }

  #typeOf({ id }: { readonly id: number }): Type {
    return this.#types.get(id) ?? ERROR;
  }

  /** Gives the node its type. */
  #typed<Node extends Expression>(node: Node, type: Type): Node {
    this.#bindings.measure(type);
    this.#types.set(node.id, type);
    return node;
  }

  /** Returns the checked node, whose names are whole. */
  #check(node: Expression): Expression {
    switch (node.kind) {
      case 'constant':
        return this.#typed(node, CONSTANTS[node.constant.type]);
      case 'identifier':
        return this.#name(node.id, node.name) ?? this.#undeclared(node, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return node.function === '_?._' ? this.#optionalSelect(node) : this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  /** Returns the identifier that a name resolves to. */
  #name(id: number, name: string): Expression | undefined {
    const resolved = this.#scopes.resolve(name);
    if (resolved === undefined) return undefined;
    this.references.set(id, resolved.reference);
    return this.#typed({ kind: 'identifier', id, name: resolved.reference.name }, resolved.type);
  }

  #undeclared(node: Expression, name: string): Expression {
    this.#report(node.id, `undeclared reference to '${name}' (in container '')`);
    return this.#typed(node, ERROR);
  }

  #select(node: SelectExpression): Expression {
    const qualified = qualifiedName(node);
    const named = qualified === undefined ? undefined : this.#name(node.id, qualified);
    if (named !== undefined) return named;
    const operand = this.#check(node.operand);
    const type = this.#field(node.id, operand, node.field, false);
    return this.#typed({ ...node, operand }, this.#bindings.substitute(node.testOnly ? BOOL : type));
  }

  #optionalSelect(node: CallExpression): Expression {
    const [written, field] = node.args;
    if (written === undefined || field?.kind !== 'constant' || field.constant.type !== 'string') {
      this.#report(node.id, 'unsupported optional field selection');
      return this.#typed(node, ERROR);
    }
    const operand = this.#check(written);
    const type = this.#field(node.id, operand, field.constant.value, true);
    this.references.set(node.id, { kind: 'function', overloads: ['select_optional_field'] });
    return this.#typed({ ...node, args: [operand, field] }, this.#bindings.substitute(type));
  }

  /** Returns the type of a field of the operand, which is optional if the operand or the selection is. */
  #field(id: number, operand: Expression, field: string, isOptional: boolean): Type {
    const type = this.#bindings.substitute(this.#typeOf(operand));
    const inner = unwrapped(type);
    const result = this.#plainField(id, inner ?? type, field);
    return inner !== undefined || isOptional ? optionalOf(result) : result;
  }

  #plainField(id: number, type: Type, field: string): Type {
    switch (type.kind) {
      case 'map':
        return type.parameters[1] ?? DYN;
      case 'struct':
        return this.#structField(id, type.name, field);
      case 'param':
        this.#bindings.assign(DYN, type);
        return DYN;
      case 'dyn':
      case 'error':
        return DYN;
      default:
        this.#report(id, `type '${formatType(type)}' does not support field selection`);
        return DYN;
    }
  }

  #structField(id: number, name: string, field: string): Type {
    const shape = this.#environment.structs.get(name);
    if (shape === undefined) {
      this.#report(id, `unexpected failed resolution of '${name}'`);
      return ERROR;
    }
    const same = shape.fields?.get(field);
    if (same?.escaped === field && same.shape.type !== undefined) return same.shape.type;
    for (const declared of shape.fields?.values() ?? []) {
      if (declared.escaped === field && declared.shape.type !== undefined) return declared.shape.type;
    }
    this.#report(id, `undefined field '${field}'`);
    return ERROR;
  }

  #call(node: CallExpression): Expression {
    const args = node.args.map((each) => this.#check(each));
    const plain = (name: string): CallExpression => ({ ...node, function: name, target: undefined, args });
    if (node.target === undefined) {
      const called = this.#function(node.function);
      if (called === undefined) return this.#undeclared({ ...node, args }, node.function);
      return this.#resolve(plain(called.name), called);
    }
    const prefix = qualifiedName(node.target);
    const qualified = prefix === undefined ? undefined : this.#function(`${prefix}.${node.function}`);
    if (qualified !== undefined) return this.#resolve(plain(qualified.name), qualified);
    const target = this.#check(node.target);
    const called = this.#function(node.function);
    if (called === undefined) return this.#undeclared({ ...node, target, args }, node.function);
    return this.#resolve({ ...node, target, args }, called);
  }

  #function(written: string): FunctionDeclaration | undefined {
    return this.#environment.functions.get(written.startsWith('.') ? written.slice(1) : written);
  }

  /** Finds the overloads that the operands fit. */
  #resolve(call: CallExpression, { name, overloads }: FunctionDeclaration): Expression {
    const operands = call.target === undefined ? call.args : [call.target, ...call.args];
    if (name === '_&&_' || name === '_||_') return this.#logical(call, overloads);
    const types = operands.map((each) => this.#typeOf(each));
    const ids: string[] = [];
    let result: Type | undefined;
    for (const overload of overloads) {
      if (overload.member !== (call.target !== undefined)) continue;
      const [found = DYN, ...parameters] = this.#bindings.instance([overload.result, ...overload.parameters]);
      if (!this.#bindings.assignAll(types, parameters)) continue;
      ids.push(overload.id);
      const type = this.#bindings.substitute(found);
      result ??= type;
      if (!this.#bindings.isSame(type, result)) result = DYN;
    }
    if (result === undefined) {
      const closed = types.map((each) => this.#bindings.substitute(each, true));
      const applied = formatOperands(closed, call.target !== undefined);
      this.#report(call.id, `found no matching overload for '${name}' applied to '${applied}'`);
      return this.#typed(call, ERROR);
    }
    this.references.set(call.id, { kind: 'function', overloads: ids });
    return this.#typed(call, result);
  }

  #logical(call: CallExpression, [overload]: readonly Overload[]): Expression {
    const wrong = call.args.filter((each) => !this.#bindings.assign(this.#typeOf(each), BOOL));
    for (const each of wrong) this.#mismatch(each.id, BOOL, this.#typeOf(each));
    if (wrong.length > 0) return this.#typed(call, ERROR);
    this.references.set(call.id, { kind: 'function', overloads: [overload?.id ?? ''] });
    return this.#typed(call, BOOL);
  }

  #mismatch(id: number, expected: Type, found: Type): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #list(node: ListExpression): Expression {
    let element: Type | undefined;
    const optional = new Set(node.optionalIndices);
    const elements = node.elements.map((written, at) => {
      const each = this.#check(written);
      element = this.#joined(element, this.#elementType(each, optional.has(at)));
      return each;
    });
    return this.#typed({ ...node, elements }, listOf(element ?? this.#bindings.variable()));
  }

  /** Returns the type of an element; of one that was written with `?`, the type inside the optional. */
  #elementType(node: Expression, isOptional: boolean): Type {
    const type = this.#typeOf(node);
    if (!isOptional) return type;
    const inner = unwrapped(type);
    if (inner === undefined && type.kind !== 'dyn') this.#mismatch(node.id, optionalOf(type), type);
    return inner ?? type;
  }

  #map(node: MapExpression): Expression {
    let key: Type | undefined;
    let value: Type | undefined;
    const entries = node.entries.map((written) => {
      const entry = { ...written, key: this.#check(written.key) };
      key = this.#joined(key, this.#typeOf(entry.key));
      entry.value = this.#check(written.value);
      value = this.#joined(value, this.#elementType(entry.value, written.optional));
      return entry;
    });
    const keyType = key ?? this.#bindings.variable();
    return this.#typed({ ...node, entries }, mapOf(keyType, value ?? this.#bindings.variable()));
  }

  /** Returns the type of the elements so far and one more. */
  #joined(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type;
    return this.#bindings.assign(before, type) ? this.#bindings.mostGeneral(before, type) : DYN;
  }

  #struct(node: StructExpression): Expression {
    const resolved = this.#scopes.resolve(node.typeName);
    if (resolved === undefined) return this.#undeclared(node, node.typeName);
    this.references.set(node.id, resolved.reference);
    const type = this.#structType(node, resolved.type);
    const typeName = resolved.reference.name;
    const fields = node.fields.map((field) => {
      const value = this.#check(field.value);
      const declared = this.#structField(field.id, typeName, field.name);
      const given = this.#elementType(value, field.optional);
      if (!this.#bindings.assign(declared, given)) {
        const [expected, provided] = [formatType(declared), formatType(given)];
        const message = `expected type of field '${field.name}' is '${expected}' but provided type is '${provided}'`;
        this.#report(field.id, message);
      }
      return { ...field, value };
    });
    return this.#typed({ ...node, typeName, fields }, type);
  }

  #structType({ id }: StructExpression, type: Type): Type {
    const [named] = type.parameters;
    if (type.kind !== 'type' || named === undefined) {
      this.#report(id, `'${type.name}' is not a type`);
      return ERROR;
    }
    if (named.kind === 'struct') return named;
    this.#report(id, `'${named.name}' is not a message type`);
    return ERROR;
  }

  #comprehension(node: ComprehensionExpression): Expression {
    const range = this.#check(node.range);
    const start = this.#check(node.start);
    const rangeType = this.#bindings.substitute(this.#typeOf(range));
    const accumulator = this.#typeOf(start);
    this.#scopes.enter(new Map([[node.accumulator, accumulator]]));
    const [first, second] = this.#loopTypes(range, rangeType, node.variable2 !== undefined);
    const variables = new Map([[node.variable, first]]);
    if (node.variable2 !== undefined) variables.set(node.variable2, second);
    this.#scopes.enter(variables);
    const condition = this.#check(node.condition);
    this.#require(condition, BOOL);
    const step = this.#check(node.step);
    this.#require(step, accumulator);
    this.#scopes.leave();
    const result = this.#check(node.result);
    this.#scopes.leave();
    const type = this.#bindings.substitute(this.#typeOf(result));
    return this.#typed({ ...node, range, start, condition, step, result }, type);
  }

  /** Returns the types of a loop's variables; the second counts only if the loop has two. */
  #loopTypes(range: Expression, type: Type, hasTwo: boolean): readonly [Type, Type] {
    const [first = DYN, second = DYN] = type.parameters;
    switch (type.kind) {
      case 'list':
        return hasTwo ? [INT, first] : [first, DYN];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'param':
        this.#bindings.assign(DYN, type);
        return [DYN, DYN];
      default: {
        const found = `expression of type '${formatType(type)}'`;
        this.#report(range.id, `${found} cannot be range of a comprehension (must be list, map, or dynamic)`);
        return [ERROR, ERROR];
      }
    }
  }

  #require(node: Expression, type: Type): void {
    if (!this.#bindings.assign(type, this.#typeOf(node))) this.#mismatch(node.id, type, this.#typeOf(node));
  }
}

const CONSTANTS: Readonly<Record<Constant['type'], Type>> = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
};

/** Returns the type inside an optional; undefined for other types. */
function unwrapped({ kind, name, parameters }: Type): Type | undefined {
  return kind === 'opaque' && name === 'optional_type' ? parameters[0] : undefined;
}

/** Returns `a.b.c` for selections that may be one name. */
function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}

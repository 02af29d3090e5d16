import type { Expression, MapEntry, Parsed, StructField } from '../ast.ts';
import { ExpressionError, type Issue } from '../issues.ts';
import { MacroBuilder, TreeBuilder } from './builder.ts';
import { Depth } from './depth.ts';
import { tokensOf } from './lexer.ts';
import { literalOf } from './literals.ts';
import { MacroError, macroOf } from './macros.ts';
import { isSymbol, LimitFault, SyntaxFault, startsOperand, TokenReader } from './token-reader.ts';

/** The limit of code points in an expression. */
const LONGEST = 100_000;

/**
 * Parses an expression and expands its macros, as cel-go 0.23 does with Kubernetes' options.
 *
 * @throws {ExpressionError} with all faults of the text
 */
export function parse(text: string): Parsed {
  const issues: Issue[] = [];
  const size = text.length > LONGEST ? [...text].length : text.length;
  if (size > LONGEST) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`;
    throw new ExpressionError(text, [{ offset: undefined, message }]);
  }
  const parser = new Parser(new TokenReader(tokensOf(text, issues), issues), issues);
  const expression = parser.whole();
  if (expression === undefined || issues.length > 0) throw new ExpressionError(text, issues);
  return { text, expression, offsets: parser.offsets };
}

/** Words that are no names of variables and functions. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const RELATIONS: ReadonlyMap<string, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
const SUMS: ReadonlyMap<string, string> = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
]);
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** A parser by recursive descent. Nodes get their ids in the order in which cel-go visits them. */
class Parser {
  readonly #reader: TokenReader;
  readonly #issues: Issue[];
  readonly #tree = new TreeBuilder();
  readonly #depth = new Depth();

  constructor(reader: TokenReader, issues: Issue[]) {
    this.#reader = reader;
    this.#issues = issues;
  }

  get offsets(): ReadonlyMap<number, number> {
    return this.#tree.offsets;
  }

  /** Returns the tree; undefined after a fault that ends the parsing. */
  whole(): Expression | undefined {
    try {
      const expression = this.#expression();
      this.#reader.expect('<EOF>');
      return expression;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      if (error instanceof LimitFault) this.#report(undefined, error.message);
      return undefined;
    }
  }

  #report(offset: number | undefined, message: string): void {
    this.#issues.push({ offset, message });
  }

  /** Reports a fault in place of a node. */
  #invalid(offset: number | undefined, message: string): Expression {
    this.#report(offset, message);
    return this.#tree.constant(this.#tree.id(offset), { type: 'null' });
  }

  #expression(): Expression {
    return this.#depth.within('expression', () => {
      const condition = this.#disjunction();
      const question = this.#reader.takeIf('?');
      if (question === undefined) return condition;
      const id = this.#tree.id(question.offset);
      const then = this.#disjunction();
      this.#reader.expect(':', startsOperand);
      const otherwise = this.#expression();
      return this.#counted(this.#tree.call(id, '_?_:_', [condition, then, otherwise]));
    });
  }

  #disjunction(): Expression {
    return this.#balanced('||', '_||_', () => this.#balanced('&&', '_&&_', () => this.#relation()));
  }

  /** Parses a chain of one operator. The tree is balanced, so that long chains are not deep. */
  #balanced(symbol: string, name: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const ids: number[] = [];
    for (let token = this.#reader.takeIf(symbol); token; token = this.#reader.takeIf(symbol)) {
      terms.push(operand());
      ids.push(this.#tree.id(token.offset));
    }
    const tree = (low: number, high: number): Expression => {
      if (low > high) return terms[low] as Expression;
      const middle = Math.floor((low + high + 1) / 2);
      const sides = [tree(low, middle - 1), tree(middle + 1, high)];
      return this.#depth.keep(this.#tree.call(ids[middle] as number, name, sides));
    };
    return tree(0, ids.length - 1);
  }

  #relation(): Expression {
    return this.#depth.within('relation', () => this.#chain(RELATIONS, 'relation', () => this.#sum()));
  }

  #sum(): Expression {
    return this.#depth.within('calc', () =>
      this.#chain(SUMS, 'calc', () => this.#chain(PRODUCTS, 'calc', () => this.#unary())),
    );
  }

  /** Parses operators of the same rank, which apply from left to right. */
  #chain(operators: ReadonlyMap<string, string>, rule: string, operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const name = this.#reader.next.kind === 'symbol' ? operators.get(this.#reader.next.text) : undefined;
      if (name === undefined) return left;
      const id = this.#tree.id(this.#reader.take().offset);
      const right = this.#depth.within(rule, operand);
      left = this.#counted(this.#tree.call(id, name, [left, right]));
    }
  }

  #unary(): Expression {
    const { text, kind, offset } = this.#reader.next;
    if (kind !== 'symbol' || (text !== '!' && text !== '-') || this.#isNegative()) return this.#member();
    let count = 0;
    while (this.#reader.takeIf(text)) count += 1;
    if (count % 2 === 0) return this.#member();
    const id = this.#tree.id(offset);
    return this.#depth.keep(this.#tree.call(id, text === '!' ? '!_' : '-_', [this.#member()]));
  }

  /** Returns true before a number with one sign, which is a part of the literal. */
  #isNegative(): boolean {
    const { kind } = this.#reader.peek(1);
    return this.#reader.is('-') && (kind === 'int' || kind === 'double');
  }

  #member(): Expression {
    return this.#depth.within('member', () => {
      let operand = this.#primary();
      for (;;) {
        const next = this.#selected(operand) ?? this.#indexed(operand);
        if (next === undefined) return operand;
        operand = next;
      }
    });
  }

  #selected(operand: Expression): Expression | undefined {
    const dot = this.#reader.takeIf('.');
    if (dot === undefined) return undefined;
    const isOptional = this.#reader.takeIf('?') !== undefined;
    const name = this.#reader.next;
    if (name.kind !== 'identifier' && name.kind !== 'escaped') return this.#noField(isOptional);
    this.#reader.take();
    if (name.kind === 'escaped') this.#report(name.offset, "unsupported syntax: '`'");
    if (isOptional) {
      const field = this.#tree.constant(this.#tree.id(name.offset), { type: 'string', value: name.text });
      return this.#counted(this.#tree.call(this.#tree.id(dot.offset), '_?._', [operand, field]));
    }
    const open = name.kind === 'identifier' ? this.#reader.takeIf('(') : undefined;
    if (open === undefined) {
      const id = this.#tree.id(dot.offset);
      return this.#counted({ kind: 'select', id, operand, field: name.text, testOnly: false });
    }
    return this.#called(open.offset, name.text, operand);
  }

  #noField(isOptional: boolean): never {
    const { text, kind } = this.#reader.next;
    const mismatched = `mismatched input '${text}' expecting`;
    if (isOptional) return this.#reader.fail(`${mismatched} {IDENTIFIER, ESC_IDENTIFIER}`);
    if (['true', 'false', 'null'].includes(text)) return this.#reader.fail(`${mismatched} IDENTIFIER`);
    return this.#reader.fail(`no viable alternative at input '.${kind === 'end' ? '' : text}'`);
  }

  #indexed(operand: Expression): Expression | undefined {
    const bracket = this.#reader.takeIf('[');
    if (bracket === undefined) return undefined;
    const isOptional = this.#reader.takeIf('?') !== undefined;
    const id = this.#tree.id(bracket.offset);
    const index = this.#expression();
    this.#close(']');
    return this.#counted(this.#tree.call(id, isOptional ? '_[?_]' : '_[_]', [operand, index]));
  }

  /** Takes a closing bracket. It may be missing at the end of the text. */
  #close(bracket: string): void {
    this.#reader.expect(bracket, ({ kind }) => kind === 'end');
  }

  /** Parses the arguments of a call, and expands the call if it is a macro. */
  #called(offset: number, name: string, target?: Expression): Expression {
    const id = this.#tree.id(offset);
    const args = this.#arguments();
    const macro = macroOf(name, args, target);
    if (macro !== undefined) {
      const within = target === undefined ? args : [...args, target];
      return this.#expanded(id, within, () => macro(new MacroBuilder(this.#tree, id)));
    }
    const call = this.#tree.call(id, name, args, target);
    return target === undefined ? this.#depth.keep(call) : this.#counted(call);
  }

  #expanded(call: number, within: readonly Expression[], expand: () => Expression): Expression {
    try {
      const expression = expand();
      this.#tree.remove(call);
      return this.#depth.count(this.#depth.of(expression, within));
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      const offset = this.#tree.offsets.get(error.argument.id);
      this.#tree.remove(call);
      return this.#invalid(offset, error.message);
    }
  }

  #arguments(): readonly Expression[] {
    if (this.#reader.takeIf(')')) return [];
    this.#reader.expectOperand(')');
    const args: Expression[] = [];
    if (this.#reader.takeIf(')')) return args;
    do args.push(this.#expression());
    while (this.#reader.takeIf(','));
    this.#close(')');
    return args;
  }

  #primary(): Expression {
    this.#reader.expectOperand();
    const token = this.#reader.next;
    if (token.kind === 'identifier' || this.#reader.is('.')) return this.#named();
    if (this.#reader.takeIf('(')) return this.#parenthesized();
    if (this.#reader.takeIf('[')) return this.#list(token.offset);
    if (this.#reader.takeIf('{')) return this.#map(token.offset);
    return this.#literal();
  }

  #parenthesized(): Expression {
    const expression = this.#expression();
    this.#close(')');
    return expression;
  }

  #literal(): Expression {
    const { offset } = this.#reader.next;
    const sign = this.#reader.takeIf('-')?.text ?? '';
    const token = this.#reader.next;
    if (sign !== '' && token.kind !== 'int' && token.kind !== 'double') {
      return this.#reader.fail(`no viable alternative at input '-${token.kind === 'end' ? '' : token.text}'`);
    }
    this.#reader.take();
    const constant = literalOf(token, sign);
    if (typeof constant === 'string') return this.#invalid(offset, constant);
    return this.#tree.constant(this.#tree.id(offset), constant);
  }

  /** Parses what begins with a name: a struct literal, a call, or an identifier. */
  #named(): Expression {
    const dot = this.#reader.takeIf('.');
    const name = this.#reader.next;
    if (name.kind !== 'identifier') return this.#noField(false);
    const struct = this.#structName();
    const leading = dot === undefined ? '' : '.';
    if (struct !== undefined) return this.#struct(leading + struct);
    this.#reader.take();
    const open = this.#reader.takeIf('(');
    if (RESERVED.has(name.text)) {
      if (open !== undefined) this.#arguments();
      return this.#invalid((dot ?? name).offset, `reserved identifier: ${name.text}`);
    }
    if (open !== undefined) return this.#called(open.offset, leading + name.text);
    return this.#tree.identifier(this.#tree.id(name.offset), leading + name.text);
  }

  /** Takes the name of a struct literal: names with dots before a brace. */
  #structName(): string | undefined {
    let length = 1;
    while (this.#isPart(length)) length += 2;
    if (!isSymbol(this.#reader.peek(length), '{')) return undefined;
    return Array.from({ length }, () => this.#reader.take().text).join('');
  }

  #isPart(ahead: number): boolean {
    return isSymbol(this.#reader.peek(ahead), '.') && this.#reader.peek(ahead + 1).kind === 'identifier';
  }

  #list(offset: number): Expression {
    const id = this.#tree.id(offset);
    const elements: Expression[] = [];
    const optionalIndices: number[] = [];
    this.#separated(']', () => {
      if (this.#reader.takeIf('?')) optionalIndices.push(elements.length);
      elements.push(this.#expression());
    });
    return this.#depth.keep({ kind: 'list', id, elements, optionalIndices });
  }

  #map(offset: number): Expression {
    const id = this.#tree.id(offset);
    const entries: MapEntry[] = [];
    this.#separated('}', () => {
      const entry = this.#tree.id(undefined);
      const optional = this.#reader.takeIf('?') !== undefined;
      const key = this.#expression();
      const colon = this.#reader.expect(':', startsOperand);
      this.#tree.place(entry, colon.offset);
      entries.push({ id: entry, key, value: this.#expression(), optional });
    });
    return this.#depth.keep({ kind: 'map', id, entries });
  }

  #struct(typeName: string): Expression {
    const id = this.#tree.id(this.#reader.expect('{').offset);
    const fields: StructField[] = [];
    this.#separated('}', () => {
      const field = this.#tree.id(undefined);
      const optional = this.#reader.takeIf('?') !== undefined;
      const name = this.#reader.next;
      if (name.kind !== 'identifier') this.#noField(true);
      this.#reader.take();
      const colon = this.#reader.expect(':', startsOperand);
      this.#tree.place(field, colon.offset);
      fields.push({ id: field, name: name.text, value: this.#expression(), optional });
    });
    return this.#depth.keep({ kind: 'struct', id, typeName, fields });
  }

  /** Parses parts with commas between them, perhaps one after the last, and the closing bracket. */
  #separated(bracket: string, part: () => void): void {
    if (!this.#reader.is(bracket) && !this.#reader.is(',')) {
      do part();
      while (this.#reader.is(',') && !this.#endsAfterComma(bracket) && this.#reader.take());
    }
    const hasComma = this.#reader.takeIf(',') !== undefined;
    if (!hasComma && this.#reader.next.kind === 'end') {
      this.#reader.fail(`mismatched input '<EOF>' expecting {'${bracket}', ','}`);
    }
    this.#reader.expect(bracket);
  }

  #endsAfterComma(bracket: string): boolean {
    const after = this.#reader.peek(1);
    return isSymbol(after, bracket) || isSymbol(after, ',') || after.kind === 'end';
  }

  /** Counts a node of a kind whose nesting is bounded. */
  #counted(expression: Expression): Expression {
    return this.#depth.count(expression);
  }
}

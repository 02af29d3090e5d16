/** An error in a CEL expression, with the message of CEL's compiler. */
export class RuleError extends Error {
  private constructor(message: string) {
    super(message);
    this.name = 'RuleError';
  }

  /** Returns an error at a character of the text, with its line and a mark below the position. */
  static at(why: string, text: string, at: number): RuleError {
    const before = text.slice(0, at).split('\n');
    const line = text.split('\n')[before.length - 1] ?? '';
    const column = before.at(-1)?.length ?? 0;
    const place = `${before.length}:${column + 1}`;
    return new RuleError(`ERROR: <input>:${place}: ${why}\n | ${line}\n | ${'.'.repeat(column)}^`);
  }

  /** Returns an error of the whole text, without a position. */
  static ofWhole(why: string): RuleError {
    return new RuleError(`ERROR: <input>:-1:0: ${why}`);
  }

  /** Converts an error from the library. Its positions refer to the text that the library received. */
  static of(error: unknown, text: string): RuleError {
    const { code = '', message, node } = error as LibraryError;
    const [why = ''] = message.split('\n');
    const at = positionOf(code, node, text);
    const isCut = why === 'Unexpected token: EOF' && OPERATOR.test(text.slice(0, at));
    return RuleError.at(isCut ? CUT_OFF : worded(code, why), text, at);
  }
}

interface LibraryError {
  readonly code?: string;
  readonly message: string;
  readonly node?: ErrorNode;
}

interface ErrorNode {
  readonly pos: number;
  readonly op?: string;
  readonly args?: unknown;
}

/** Matches text that ends with an operator, before a missing operand. */
const OPERATOR = /([<>=+*/%?:]|&&|\|\||\bin)\s*$/;
/** The message of Kubernetes' parser for a missing operand at the end. */
const CUT_OFF =
  "Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const IN: Readonly<Record<string, string>> = { in: '@in' };

/** Returns the message of Kubernetes' compiler, if the library's differs. */
function worded(code: string, why: string): string {
  if (code === 'no_such_key') return `undefined field '${why.replace(/^No such key: /, '')}'`;
  const [, left, operator = '', right] = /^no such overload: (.+) (\S+) (.+)$/.exec(why) ?? [];
  if (left !== undefined) {
    const name = IN[operator] ?? `_${operator}_`;
    return `found no matching overload for '${name}' applied to '(${left}, ${right})'`;
  }
  if (code === 'unknown_variable') {
    return `undeclared reference to '${why.replace(/^Unknown variable: /, '')}' (in container '')`;
  }
  return /unexpected|expected|unterminated|parse/i.test(`${code} ${why}`) ? `Syntax error: ${why}` : why;
}

/**
 * Returns the position that Kubernetes reports: the dot before a field, and an operator rather than its first
 * operand.
 */
function positionOf(code: string, node: ErrorNode | undefined, text: string): number {
  const { pos: at = 0, op = '', args } = node ?? {};
  if (code === 'no_such_key') return Math.max(0, at - 1);
  if (code !== 'no_such_overload' || !Array.isArray(args)) return at;
  const [left] = args as { readonly end?: number }[];
  return Math.max(at, text.indexOf(op, left?.end ?? at));
}

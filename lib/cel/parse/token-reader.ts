import type { Issue } from '../issues.ts';
import type { Token } from './lexer.ts';

/** What an operand may begin with, as messages list it. */
const OPERAND =
  "'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
const OPERAND_SYMBOLS: ReadonlySet<string> = new Set(['[', '{', '(', '.', '-', '!', 'true', 'false', 'null']);

/** Thrown at a fault after which the rest of the text has no meaning. Its issues are reported already. */
export class SyntaxFault extends Error {}

/** Thrown when an expression exceeds a limit. */
export class LimitFault extends SyntaxFault {}

/**
 * Reads tokens. Where one token is missing, or one too many, the reader reports it and goes on, with the messages that
 * Kubernetes' parser has for this.
 */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #at = 0;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  get next(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new RangeError('an expression has no tokens');
    return token;
  }

  take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Returns true if the next token is this symbol. */
  is(symbol: string): boolean {
    return isSymbol(this.next, symbol);
  }

  /** Takes the next token if it is this symbol. */
  takeIf(symbol: string): Token | undefined {
    return this.is(symbol) ? this.take() : undefined;
  }

  /**
   * Takes this symbol. `follows` says whether a token may follow it; then the symbol may be missing.
   *
   * @throws {SyntaxFault}
   */
  expect(symbol: string, follows: (token: Token) => boolean = () => false): Token {
    if (this.is(symbol)) return this.take();
    const found = this.next;
    const expected = symbol === '<EOF>' ? symbol : `'${symbol}'`;
    if (found.kind !== 'end' && isSymbol(this.peek(1), symbol)) {
      this.report(found, `extraneous input '${found.text}' expecting ${expected}`);
      this.take();
      return this.take();
    }
    if (follows(found)) {
      this.report(found, `missing ${expected} at '${found.text}'`);
      return { ...found, text: symbol };
    }
    return this.fail(`mismatched input '${found.text}' expecting ${expected}`);
  }

  /** Skips one token before an operand; `more` names what else may stand here. @throws {SyntaxFault} */
  expectOperand(more?: string): void {
    const found = this.next;
    if (startsOperand(found)) return;
    const place = more === undefined ? OPERAND : OPERAND.replace("'(', ", `'(', '${more}', `);
    const after = this.peek(1);
    if (found.kind !== 'end' && (startsOperand(after) || (more !== undefined && isSymbol(after, more)))) {
      this.report(found, `extraneous input '${found.text}' expecting {${place}}`);
      this.take();
      return;
    }
    this.fail(`mismatched input '${found.text}' expecting {${place}}`);
  }

  report({ offset }: Token, message: string): void {
    this.#issues.push({ offset, message: `Syntax error: ${message}` });
  }

  fail(message: string, token: Token = this.next): never {
    this.report(token, message);
    throw new SyntaxFault(message);
  }
}

export function isSymbol({ kind, text }: Token, symbol: string): boolean {
  return kind === 'end' ? symbol === '<EOF>' : kind === 'symbol' && text === symbol;
}

export function startsOperand({ kind, text }: Token): boolean {
  if (kind === 'symbol') return OPERAND_SYMBOLS.has(text);
  return kind !== 'end' && kind !== 'escaped';
}

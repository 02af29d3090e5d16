/**
 * A token of a selector. `in` and `notin` are words: only their position distinguishes an operator from a key or a
 * value.
 */
export interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  /** The text of the token; empty at the end. */
  readonly text: string;
}

const END: Token = { kind: 'end', text: '' };
const BLANKS = ' \t\r\n';
const SYMBOLS = '=!(),<>';
const NUL = '\0';

/**
 * Splits a selector into tokens, left to right, with one token of lookahead. It rejects nothing: any run of
 * characters that are neither blanks nor symbols is a word.
 *
 * A NUL behaves as in Kubernetes' lexer. Where a token should begin, the NUL ends the selector; directly after a token,
 * the lexer skips the NUL.
 */
export class Lexer {
  readonly #text: string;
  #position = 0;
  #ahead: Token | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token {
    this.#ahead ??= this.#scan();
    return this.#ahead;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#ahead = undefined;
    return token;
  }

  #scan(): Token {
    const start = this.#skip((character) => BLANKS.includes(character));
    const first = this.#text[start];
    if (first === undefined || first === NUL) return END;
    const kind = SYMBOLS.includes(first) ? 'symbol' : 'word';
    const end = kind === 'symbol' ? this.#symbolEnd(first) : this.#skip(belongsToWord);
    this.#position = this.#text[end] === NUL ? end + 1 : end;
    return { kind, text: this.#text.slice(start, end) };
  }

  /** `==` and `!=` are the only symbols of two characters. */
  #symbolEnd(first: string): number {
    const isPair = (first === '=' || first === '!') && this.#text[this.#position + 1] === '=';
    return this.#position + (isPair ? 2 : 1);
  }

  #skip(accepts: (character: string) => boolean): number {
    while (this.#position < this.#text.length && accepts(this.#text.charAt(this.#position))) this.#position++;
    return this.#position;
  }
}

function belongsToWord(character: string): boolean {
  return character !== NUL && !BLANKS.includes(character) && !SYMBOLS.includes(character);
}

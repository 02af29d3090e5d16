/** The token that Go's decoder expects next. */
type Expected = 'value' | 'first element' | 'key' | 'first key' | 'colon' | 'end';

const SPACE = /[ \t\r\n]*/y;
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const ESCAPES = new Set('bfnrt\\/"');
const HEX_DIGITS = 4;

/**
 * Returns the syntax error of a JSON text, with the message of Go's encoding/json:
 * `invalid character 'x' after top-level value`, `unexpected end of JSON input`. Undefined if the text is valid. Like
 * Go, it reads bytes.
 */
export function jsonSyntaxFault(text: Uint8Array): string | undefined {
  try {
    new Scanner(text).read();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Fault extends Error {}

class Scanner {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;

  constructor(text: Uint8Array) {
    // Go passes its scanner one space at the end of the text.
    this.#text = `${Buffer.from(text).toString('latin1')} `;
  }

  read(): void {
    for (let expected: Expected = 'value'; ; ) {
      SPACE.lastIndex = this.#at;
      this.#at += SPACE.exec(this.#text)?.[0].length ?? 0;
      if (this.#at >= this.#text.length) {
        if (expected === 'end' && this.#open.length === 0) return;
        throw new Fault('unexpected end of JSON input');
      }
      expected = this.#next(expected);
    }
  }

  #next(expected: Expected): Expected {
    const character = this.#text.charAt(this.#at);
    switch (expected) {
      case 'value':
        return this.#value(character);
      case 'first element':
        return character === ']' ? this.#close() : this.#value(character);
      case 'key':
        return this.#key(character);
      case 'first key':
        return character === '}' ? this.#close() : this.#key(character);
      case 'colon':
        if (character !== ':') throw this.#fault('after object key');
        this.#at += 1;
        return 'value';
      case 'end':
        return this.#afterValue(character);
    }
  }

  #value(character: string): Expected {
    if (character === '{' || character === '[') {
      this.#open.push(character);
      this.#at += 1;
      return character === '{' ? 'first key' : 'first element';
    }
    const literal = LITERALS[character];
    if (character === '"') {
      this.#string();
    } else if (literal !== undefined) {
      this.#literal(literal);
    } else if (/[-0-9]/.test(character)) {
      this.#number();
    } else {
      throw this.#fault('looking for beginning of value');
    }
    return 'end';
  }

  #key(character: string): Expected {
    if (character !== '"') throw this.#fault('looking for beginning of object key string');
    this.#string();
    return 'colon';
  }

  #afterValue(character: string): Expected {
    const open = this.#open.at(-1);
    if (open === undefined) throw this.#fault('after top-level value');
    if (character === (open === '{' ? '}' : ']')) return this.#close();
    if (character !== ',') {
      throw this.#fault(open === '{' ? 'after object key:value pair' : 'after array element');
    }
    this.#at += 1;
    return open === '{' ? 'key' : 'value';
  }

  #close(): Expected {
    this.#open.pop();
    this.#at += 1;
    return 'end';
  }

  #string(): void {
    for (this.#at += 1; this.#text.charAt(this.#at) !== '"'; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '') throw new Fault('unexpected end of JSON input');
      if (character < ' ') throw this.#fault('in string literal');
      if (character === '\\') this.#escape();
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    const character = this.#text.charAt(this.#at);
    if (character !== 'u') {
      if (!ESCAPES.has(character)) throw this.#fault('in string escape code');
      return;
    }
    for (let digit = 0; digit < HEX_DIGITS; digit += 1) {
      this.#at += 1;
      if (!/[0-9a-fA-F]/.test(this.#text.charAt(this.#at))) {
        throw this.#fault('in \\u hexadecimal character escape');
      }
    }
  }

  #literal(literal: string): void {
    for (const letter of literal) {
      if (this.#text.charAt(this.#at) !== letter) {
        throw this.#fault(`in literal ${literal} (expecting '${letter}')`);
      }
      this.#at += 1;
    }
  }

  #number(): void {
    this.#skip(/-?/y);
    if (this.#skip(/0|[1-9][0-9]*/y) === 0) throw this.#fault('in numeric literal');
    if (this.#skip(/\./y) > 0 && this.#skip(/[0-9]+/y) === 0) {
      throw this.#fault('after decimal point in numeric literal');
    }
    if (this.#skip(/[eE][-+]?/y) > 0 && this.#skip(/[0-9]+/y) === 0) {
      throw this.#fault('in exponent of numeric literal');
    }
  }

  /** Skips a match of the pattern at the current position and returns its length. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const { length } = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += length;
    return length;
  }

  #fault(where: string): Fault {
    return new Fault(`invalid character ${quoted(this.#text.charAt(this.#at))} ${where}`);
  }
}

const NAMED: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Quotes a character as Go does. */
function quoted(character: string): string {
  const code = character.charCodeAt(0);
  const hexadecimal = code.toString(16);
  const escaped =
    code < 0x20 || code === 0x7f
      ? `\\x${hexadecimal.padStart(2, '0')}`
      : (code >= 0x80 && code <= 0xa0) || code === 0xad
        ? `\\u${hexadecimal.padStart(4, '0')}`
        : character;
  return `'${NAMED[character] ?? escaped}'`;
}

import { isJsonObject, type JsonValue, LONGEST_PATH, MOST_PATH_CHARACTERS } from '../../json/index.ts';
import { MOST_FAULTS } from '../../kubernetes/fields/index.ts';

/** Facts of a JSON text that the parsed value no longer has. */
export interface WrittenFields {
  /** Paths of duplicate fields in one object, the first {@link MOST_FAULTS}: `spec.replicas`. */
  readonly duplicates: readonly string[];
  /** Numbers with a point or an exponent, by path: `2.0`, whose value is 2. */
  readonly literals: ReadonlyMap<string, string>;
  /** The first position of each path in the text. */
  readonly positions: ReadonlyMap<string, number>;
}

/**
 * Scans a text only if there is something to find. Most bodies are only counted: they have as many colons as the value
 * has fields, and no number with a point or an exponent.
 *
 * @param value what the text has been parsed to
 */
export function writtenFields(text: string, value: JsonValue): WrittenFields | undefined {
  const { members, points } = countIn(text);
  return points || members !== membersOf(value) ? scanFields(text) : undefined;
}

/** Scans a text, whether there is something to find or not. */
export function scanFields(text: string): WrittenFields {
  return new Scanner(text).read();
}

const QUOTE = 34;
const POINT = 46;
const COLON = 58;
const CAPITAL_E = 69;
const BACKSLASH = 92;
const SMALL_E = 101;
const isDigit = (code: number) => code >= 48 && code <= 57;

/** The number of colons outside of strings, and whether any number has a point or an exponent. */
function countIn(text: string): { members: number; points: boolean } {
  let members = 0;
  let points = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === COLON) {
      members += 1;
    } else if (code === POINT || code === CAPITAL_E) {
      points = true;
    } else if (code === SMALL_E && isDigit(text.charCodeAt(at - 1))) points = true;
  }
  return { members, points };
}

/** The position where the string that begins at `from` ends. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  for (;;) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
}

function membersOf(value: JsonValue): number {
  if (Array.isArray(value)) {
    let sum = 0;
    for (const item of value) if (typeof item === 'object') sum += membersOf(item);
    return sum;
  }
  if (!isJsonObject(value)) return 0;
  let sum = 0;
  for (const name in value) {
    const member = value[name];
    sum += typeof member === 'object' ? 1 + membersOf(member) : 1;
  }
  return sum;
}

const LITERAL = /[^\s,\]}]+/y;

/**
 * Reads a JSON text again, for the facts that parsing loses. It skips paths that are too long: a value of a duplicate
 * key may have such paths even if the parsed value has no long paths.
 */
class Scanner {
  readonly #text: string;
  #at = 0;
  readonly #duplicates = new Set<string>();
  readonly #literals = new Map<string, string>();
  #characters = 0;
  readonly #positions = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  read(): WrittenFields {
    this.#value('');
    return { duplicates: [...this.#duplicates], literals: this.#literals, positions: this.#positions };
  }

  #value(path: string): void {
    const first = this.#peek();
    if (first === '{') {
      this.#object(path);
    } else if (first === '[') {
      this.#array(path);
    } else if (first === '"') {
      this.#string();
    } else {
      this.#literal(path);
    }
  }

  #object(path: string): void {
    const seen = new Set<string>();
    this.#at += 1;
    while (this.#peek() !== '}') {
      if (this.#peek() === ',') this.#at += 1;
      this.#peek();
      const at = this.#at;
      const name = this.#string();
      const own = path === '' ? name : `${path}.${name}`;
      if (this.#mayName(own)) {
        if (!this.#positions.has(own)) this.#positions.set(own, at);
        if (seen.has(name) && this.#duplicates.size < MOST_FAULTS) this.#duplicates.add(own);
      }
      seen.add(name);
      this.#peek();
      this.#at += 1;
      this.#value(own);
    }
    this.#at += 1;
  }

  #array(path: string): void {
    this.#at += 1;
    for (let index = 0; this.#peek() !== ']'; index += 1) {
      if (this.#peek() === ',') this.#at += 1;
      this.#value(`${path}[${index}]`);
    }
    this.#at += 1;
  }

  #string(): string {
    const end = endOfString(this.#text, this.#at);
    const text = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    return JSON.parse(text);
  }

  #literal(path: string): void {
    LITERAL.lastIndex = this.#at;
    const [text = ''] = LITERAL.exec(this.#text) ?? [];
    if (/^-?\d.*[.eE]/.test(text)) {
      if (this.#mayName(path)) this.#literals.set(path, text);
    } else if (this.#literals.size > 0 && this.#mayName(path)) {
      this.#literals.delete(path);
    }
    this.#at += text.length;
  }

  /** Counts a path that is looked up. Returns false if it is too long, or if all paths together are. */
  #mayName({ length }: string): boolean {
    this.#characters += length;
    return length <= LONGEST_PATH && this.#characters <= 2 * MOST_PATH_CHARACTERS;
  }

  /** The next character that is no white space. */
  #peek(): string {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.charAt(this.#at);
  }
}

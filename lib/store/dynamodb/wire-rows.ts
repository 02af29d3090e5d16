import { endOfString } from '../../json/index.ts';
import type { Attribute, Row } from '../table.ts';
import { parseAnswer, type WireAnswer } from './items.ts';

/** The begin of the rows in the answer of a Query, or of a BatchGetItem from one table. No string contains it. */
const BEGIN = /"Items":\[|"Responses":\{"[\w.-]+":\[/;

/**
 * Reads the text of an answer with many rows. The service writes the attributes of each row in another order, so
 * `JSON.parse` would create a new hidden class for almost every row. This reader gives equal sets of attributes one
 * order, which takes a third of the time. It leaves answers of another form, such as rows with lists, to `JSON.parse`.
 */
export function readManyRows(text: string): WireAnswer {
  const begin = BEGIN.exec(text);
  if (begin === null) return parseAnswer(text);
  const from = begin.index + begin[0].length;
  const { rows, at } = new RowReader(text, from);
  if (rows === undefined) return parseAnswer(text);
  return { rows, envelope: JSON.parse(text.slice(0, from) + text.slice(at)) };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const CLOSING_BRACKET = 0x5d;
/** V8 copies shorter parts of a string. A longer part would keep the whole text of the answer in memory. */
const COPIED = 13;

/** An attribute name, and its place in the order of all attributes. */
interface Name {
  readonly text: string;
  readonly place: number;
}

/** The known names. Other programs may write rows with any names, so their number is limited. */
const names = new Map<string, Name>();
const MOST_NAMES = 256;

/** Reads rows of strings, numbers, bytes and booleans, up to the end of their list. */
class RowReader {
  /** The position of the bracket after the last row. */
  at: number;
  /** Undefined if the text has another form. */
  readonly rows: readonly Row[] | undefined;
  readonly #text: string;
  readonly #names: Name[] = [];
  readonly #values: Attribute[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
    this.rows = this.#readRows();
  }

  #readRows(): Row[] | undefined {
    const rows: Row[] = [];
    while (this.#is(OPENING)) {
      const count = this.#readAttributes();
      if (count === undefined) return undefined;
      rows.push(this.#build(count));
      if (!this.#skip(COMMA)) break;
    }
    return this.#is(CLOSING_BRACKET) ? rows : undefined;
  }

  /** Reads the attributes of a row into the two lists, by their places. Returns their number. */
  #readAttributes(): number | undefined {
    let count = 0;
    this.at += 1;
    while (this.#is(QUOTE)) {
      const name = nameOf(this.#readString());
      // `:{"S":`
      const type = this.#text.slice(this.at, this.at + 6);
      if (name === undefined) return undefined;
      const value = this.#readValue(type);
      if (value === undefined || !this.#skip(CLOSING)) return undefined;
      let place = count;
      for (; place > 0 && (this.#names[place - 1]?.place ?? 0) > name.place; place -= 1) {
        this.#names[place] = this.#names[place - 1] as Name;
        this.#values[place] = this.#values[place - 1] as Attribute;
      }
      this.#names[place] = name;
      this.#values[place] = value;
      count += 1;
      if (!this.#skip(COMMA)) break;
    }
    return this.#skip(CLOSING) ? count : undefined;
  }

  #readValue(type: string): Attribute | undefined {
    this.at += 6;
    switch (type) {
      case ':{"S":':
        return this.#is(QUOTE) ? this.#readString() : undefined;
      case ':{"N":':
        return this.#is(QUOTE) ? Number(this.#readString()) : undefined;
      case ':{"B":': {
        const begin = this.at + 1;
        if (!this.#is(QUOTE)) return undefined;
        this.at = endOfString(this.#text, this.at);
        return Buffer.from(this.#text.slice(begin, this.at - 1), 'base64');
      }
      default:
        return type === ':{"BOO' ? this.#readBoolean() : undefined;
    }
  }

  #readBoolean(): boolean | undefined {
    for (const value of [true, false]) {
      const rest = `L":${value}`;
      if (!this.#text.startsWith(rest, this.at)) continue;
      this.at += rest.length;
      return value;
    }
    return undefined;
  }

  #readString(): string {
    const begin = this.at;
    this.at = endOfString(this.#text, begin);
    const inner = this.#text.slice(begin + 1, this.at - 1);
    if (inner.length < COPIED && !inner.includes('\\')) return inner;
    return JSON.parse(this.#text.slice(begin, this.at));
  }

  #build(count: number): Row {
    const row: Record<string, Attribute> = {};
    for (let place = 0; place < count; place += 1) {
      row[(this.#names[place] as Name).text] = this.#values[place] as Attribute;
    }
    return row as Row;
  }

  #is(character: number): boolean {
    return this.#text.charCodeAt(this.at) === character;
  }

  #skip(character: number): boolean {
    const found = this.#is(character);
    if (found) this.at += 1;
    return found;
  }
}

function nameOf(text: string): Name | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size === MOST_NAMES) return known;
  const name = { text, place: names.size };
  names.set(text, name);
  return name;
}

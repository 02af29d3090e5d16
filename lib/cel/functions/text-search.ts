/** Longer texts are searched in linear time. JavaScript's own search multiplies the lengths of both texts. */
const SHORT = 64;

/** Finds a text in others, in time that grows with the sum of their lengths (Knuth, Morris and Pratt). */
export class TextSearch {
  readonly #part: string;
  /** For each length of the text's beginning, the length of its longest border. Undefined for short texts. */
  readonly #borders: Int32Array | undefined;

  constructor(part: string) {
    this.#part = part;
    this.#borders = part.length > SHORT ? bordersOf(part) : undefined;
  }

  /** Returns the first place at or after an index, or -1. */
  next(text: string, from: number): number {
    const borders = this.#borders;
    if (borders === undefined) return text.indexOf(this.#part, from);
    let matched = 0;
    for (let at = from; at < text.length; at += 1) {
      matched = extended(this.#part, borders, matched, text.charCodeAt(at));
      if (matched === this.#part.length) return at + 1 - matched;
    }
    return -1;
  }

  /** Returns the last place at or before an index, or -1. */
  last(text: string, from: number): number {
    if (this.#borders === undefined) return text.lastIndexOf(this.#part, from);
    let found = -1;
    let at = this.next(text, 0);
    while (at !== -1 && at <= from) {
      found = at;
      at = this.next(text, at + 1);
    }
    return found;
  }

  /** Returns the pieces between the places. */
  split(text: string): string[] {
    if (this.#borders === undefined) return text.split(this.#part);
    const pieces: string[] = [];
    let start = 0;
    for (let at = this.next(text, 0); at !== -1; at = this.next(text, start)) {
      pieces.push(text.slice(start, at));
      start = at + this.#part.length;
    }
    return [...pieces, text.slice(start)];
  }
}

function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1);
  borders[0] = -1;
  for (let length = 1; length <= part.length; length += 1) {
    let border = borders[length - 1] ?? -1;
    while (border >= 0 && part.charCodeAt(border) !== part.charCodeAt(length - 1)) border = borders[border] ?? -1;
    borders[length] = border + 1;
  }
  return borders;
}

/** Returns the length of the beginning of `part` that is matched after one more character. */
function extended(part: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched === part.length ? (borders[matched] ?? 0) : matched;
  while (length >= 0 && part.charCodeAt(length) !== unit) length = borders[length] ?? -1;
  return length + 1;
}

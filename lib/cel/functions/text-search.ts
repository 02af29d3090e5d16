/** Longer texts are searched in linear time. JavaScript's own search may multiply the lengths of both texts. */
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
  first(text: string, from: number): number {
    if (this.#borders === undefined) return text.indexOf(this.#part, from);
    for (const place of this.#places(text, from, true)) return place;
    return -1;
  }

  /** Returns the last place at or before an index, or -1. */
  last(text: string, from: number): number {
    if (this.#borders === undefined) return text.lastIndexOf(this.#part, from);
    let found = -1;
    for (const place of this.#places(text, 0, true)) {
      if (place > from) break;
      found = place;
    }
    return found;
  }

  /** Returns the pieces between the places. */
  split(text: string): string[] {
    if (this.#borders === undefined) return text.split(this.#part);
    const pieces: string[] = [];
    let start = 0;
    for (const place of this.#places(text, 0, false)) {
      pieces.push(text.slice(start, place));
      start = place + this.#part.length;
    }
    return [...pieces, text.slice(start)];
  }

  *#places(text: string, from: number, mayOverlap: boolean): Generator<number, undefined> {
    const [part, borders] = [this.#part, this.#borders ?? new Int32Array(1)];
    let matched = 0;
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      while (matched >= 0 && part.charCodeAt(matched) !== unit) matched = borders[matched] ?? -1;
      matched += 1;
      if (matched < part.length) continue;
      yield at + 1 - matched;
      matched = mayOverlap ? (borders[matched] ?? 0) : 0;
    }
  }
}

function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1);
  borders[0] = -1;
  for (let length = 1; length <= part.length; length += 1) {
    let border = borders[length - 1] ?? -1;
    while (border >= 0 && part.charCodeAt(border) !== part.charCodeAt(length - 1)) {
      border = borders[border] ?? -1;
    }
    borders[length] = border + 1;
  }
  return borders;
}

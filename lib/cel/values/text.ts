/** Returns the number of code points of a text. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isPair(text, at)) {
      length -= 1;
      at += 1;
    }
  }
  return length;
}

/**
 * Returns the index in UTF-16 units of the code point with a number.
 *
 * @returns undefined if the text has fewer code points
 */
export function unitAt(text: string, point: number): number | undefined {
  let unit = 0;
  for (let left = point; left > 0; left -= 1) {
    if (unit >= text.length) return undefined;
    unit += isPair(text, unit) ? 2 : 1;
  }
  return unit;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** The position after the string that begins at a position of a JSON text. */
export function endOfString(text: string, begin: number): number {
  let quote = text.indexOf('"', begin + 1);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** The position after the value that begins at a position of a JSON text without spaces. */
export function endOfValue(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; ) {
    const character = text.charCodeAt(at);
    const isClosing = character === CLOSING_BRACE || character === CLOSING_BRACKET;
    // A number, `true`, `false` or `null` ends before the next comma or bracket.
    if (depth === 0 && (isClosing || character === COMMA)) return at;
    if (character === QUOTE) {
      at = endOfString(text, at);
    } else {
      if (character === OPENING_BRACE || character === OPENING_BRACKET) depth += 1;
      if (isClosing) depth -= 1;
      at += 1;
    }
    if (depth === 0 && (isClosing || character === QUOTE)) return at;
  }
  return text.length;
}

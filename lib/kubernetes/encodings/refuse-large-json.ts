import { DEPTH_EXCEEDED, MOST_DEPTH, MOST_VALUES, TooLargeError } from '../../json/index.ts';
import { EncodingError } from './encoding-error.ts';

/** The limit of values in a text: those of an object, plus as many directives, operations or duplicate keys. */
const MOST_WRITTEN = 2 * MOST_VALUES;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/**
 * Counts the depth and the values of a JSON text before it is parsed, and refuses a text that exceeds a limit. It
 * reads each byte once and does not check the syntax. The count is never too high, but may be too low.
 *
 * @throws {EncodingError} it nests deeper than 500 levels
 * @throws {TooLargeError} it has more than 120,000 values
 */
export function refuseLargeJson(bytes: Uint8Array): void {
  let [depth, commas, holders] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === COMMA) {
      commas += 1;
    } else if (byte === OPENING[0] || byte === OPENING[1]) {
      holders += 1;
      depth += 1;
      // The container of the deepest values may itself be at the deepest level.
      if (depth > MOST_DEPTH + 1) throw new EncodingError(DEPTH_EXCEEDED);
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) depth -= 1;
  }
  const values = Math.max(commas + 1, holders);
  if (values <= MOST_WRITTEN) return;
  const limit = { limit: MOST_WRITTEN, unit: 'JSON values' };
  throw new TooLargeError('the JSON in the body of the request', values, limit);
}

/**
 * Returns the index of the quote that ends the string from `from`; the length of the text if the string does not end.
 */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

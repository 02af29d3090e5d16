/** Thrown when a string literal has an escape sequence that its kind does not allow. */
export class UnescapeError extends Error {}

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A literal without quotes, and whether it is raw. */
interface Unquoted {
  readonly text: string;
  readonly raw: boolean;
}

function unquoted(literal: string): Unquoted {
  const normal = literal.replace(/\r\n?/g, '\n');
  const raw = /^[rR]/.test(normal);
  const quoted = raw ? normal.slice(1) : normal;
  const quotes = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { text: quoted.slice(quotes, -quotes), raw };
}

/** Returns the value of a string literal. @throws {UnescapeError} */
export function stringValue(literal: string): string {
  const { text, raw } = unquoted(literal);
  if (raw || !text.includes('\\')) return text;
  return text.replace(
    /\\(?:[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2})|(.))/gs,
    escaped,
  );
}

function escaped(
  _whole: string,
  x: string | undefined,
  u: string | undefined,
  long: string | undefined,
  octal: string | undefined,
  other = '',
): string {
  const hex = x ?? u ?? long;
  if (hex !== undefined) return character(Number.parseInt(hex, 16));
  if (octal !== undefined) return character(Number.parseInt(octal, 8));
  return SIMPLE[other] ?? other;
}

function character(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (isSurrogate || code > 0x10_ffff) throw new UnescapeError('invalid unicode code point');
  return String.fromCodePoint(code);
}

/** Returns the value of a bytes literal, with its prefix `b`. Hexadecimal and octal escapes are bytes. @throws {UnescapeError} */
export function bytesValue(literal: string): Uint8Array {
  const { text, raw } = unquoted(literal.slice(1));
  const encoder = new TextEncoder();
  if (raw || !text.includes('\\')) return encoder.encode(text);
  const parts = text.matchAll(/\\(?:[xX][\da-fA-F]{2}|[0-3][0-7]{2}|.)|[^\\]/gsu);
  return Uint8Array.from([...parts].flatMap(([part]) => [...bytesOf(part, encoder)]));
}

/** Returns the bytes of a character or an escape sequence. */
function bytesOf(part: string, encoder: { encode(text: string): Uint8Array }): Iterable<number> {
  const [, kind = ''] = part;
  if (!part.startsWith('\\')) return encoder.encode(part);
  if (/[uU]/.test(kind)) throw new UnescapeError('unable to unescape string');
  if (/[xX]/.test(kind)) return [Number.parseInt(part.slice(2), 16)];
  if (/[0-3]/.test(kind)) return [Number.parseInt(part.slice(1), 8)];
  return encoder.encode(SIMPLE[kind] ?? kind);
}

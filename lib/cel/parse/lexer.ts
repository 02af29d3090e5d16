import type { Issue } from '../issues.ts';

export type TokenKind =
  | 'symbol'
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'end';

/** A token. The kind of operators, brackets and the words `in`, `true`, `false` and `null` is `symbol`. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The place of the first character, in code points. */
  readonly offset: number;
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7]{2}|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`;
const HEX = '[\\da-fA-F]';
const EXPONENT = '[eE][+-]?\\d+';

/** The strings of the language. Triple quotes come first: the longest token wins. */
const STRINGS = [
  `"""(?:[^\\\\]|${ESCAPE})*?"""`,
  `'''(?:[^\\\\]|${ESCAPE})*?'''`,
  `"(?:[^\\\\"\\n\\r]|${ESCAPE})*"`,
  `'(?:[^\\\\'\\n\\r]|${ESCAPE})*'`,
  '[rR]"""[^]*?"""',
  "[rR]'''[^]*?'''",
  '[rR]"[^"\\n\\r]*"',
  "[rR]'[^'\\n\\r]*'",
].join('|');

/** One group for each kind of token, in the order of {@link GROUPS}; hidden text has none. */
const TOKEN = new RegExp(
  [
    '[\\t \\r\\n\\f]+|//[^\\n]*',
    `(\\d+\\.\\d+(?:${EXPONENT})?|\\d+${EXPONENT}|\\.\\d+(?:${EXPONENT})?)`,
    `(0x${HEX}+[uU]|\\d+[uU])`,
    `(0x${HEX}+|\\d+)`,
    `(${STRINGS})`,
    `([bB](?:${STRINGS}))`,
    '([a-zA-Z_][a-zA-Z\\d_]*)',
    '(`[a-zA-Z\\d_.\\-/ ]+`)',
    '(==|!=|<=|>=|&&|\\|\\||[<>[\\]{}().,\\-!?:+*/%])',
  ].join('|'),
  'y',
);

const GROUPS: readonly TokenKind[] = [
  'double',
  'uint',
  'int',
  'string',
  'bytes',
  'identifier',
  'escaped',
  'symbol',
];

/** What a token may begin with before it fails: a string, an escaped name, or half an operator. */
const BEGINNING = new RegExp(
  [`"(?:[^\\\\"\\n\\r]|${ESCAPE})*`, `'(?:[^\\\\'\\n\\r]|${ESCAPE})*`, '`[a-zA-Z\\d_.\\-/ ]*', '[=&|]'].join(
    '|',
  ),
  'y',
);
/** The part of an escape sequence that is read before it fails. */
const BROKEN_ESCAPE = new RegExp(`\\\\(?:[xX]${HEX}?|u${HEX}{0,3}|U${HEX}{0,7}|[0-3][0-7]?)?`, 'y');

const WORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Splits a text into tokens, of which the last has kind `end`. What is no token becomes an issue. */
export function tokensOf(text: string, issues: Issue[]): readonly Token[] {
  const offsetAt = codePoints(text);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const match = matchAt(TOKEN, text, at);
    if (match === null) {
      const failed = failedText(text, at);
      issues.push({ offset: offsetAt(at), message: `Syntax error: token recognition error at: '${failed}'` });
      at += failed.length;
      continue;
    }
    const group = match.findIndex((each, index) => index > 0 && each !== undefined);
    const [found] = match;
    if (group > 0) {
      const kind = WORDS.has(found) ? 'symbol' : (GROUPS[group - 1] ?? 'symbol');
      tokens.push({ kind, text: found, offset: offsetAt(at) });
    }
    at += found.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: offsetAt(text.length) });
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the characters that the lexer gives up: those it read, and the one that fits nothing. */
function failedText(text: string, at: number): string {
  let end = at + (matchAt(BEGINNING, text, at)?.[0].length ?? 0);
  if (end > at && text[at] !== '`') end += matchAt(BROKEN_ESCAPE, text, end)?.[0].length ?? 0;
  return text.slice(at, end + String.fromCodePoint(text.codePointAt(end) ?? 0).length);
}

/** Returns the function that converts an index of the text to a number of code points. */
function codePoints(text: string): (index: number) => number {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (index) => index;
  const offsets = new Uint32Array(text.length + 1);
  let count = 0;
  for (let index = 0; index < text.length; ) {
    const length = (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
    offsets.fill(count, index, index + length);
    index += length;
    count += 1;
  }
  offsets[text.length] = count;
  return (index) => offsets[index] ?? count;
}

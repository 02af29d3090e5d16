/** One fault of an expression. The offset counts code points; undefined means that the fault has no place. */
export interface Issue {
  readonly offset: number | undefined;
  readonly message: string;
}

/** The number of issues that one error names. */
const REPORTED = 100;
/** The longest line that an error quotes, in UTF-8 bytes. */
const LONGEST_LINE = 16_384;

/** Thrown when an expression does not parse or type-check. Its message names all issues, with lines and marks. */
export class ExpressionError extends Error {
  readonly issues: readonly Issue[];

  constructor(text: string, issues: readonly Issue[]) {
    super(display(text, issues));
    this.name = 'ExpressionError';
    this.issues = issues;
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function display(text: string, issues: readonly Issue[]): string {
  const lines = text === '' ? [] : text.split('\n');
  const places = placesOf(text);
  const shown = issues
    .slice(0, REPORTED)
    .map(({ offset, message }) => ({ place: places(offset), message }))
    .sort((one, other) => one.place.line - other.place.line || one.place.column - other.place.column)
    .map(({ place, message }) => displayOne(lines[place.line - 1], place, message));
  const more = issues.length - REPORTED;
  return [...shown, ...(more > 0 ? [`${more} more errors were truncated`] : [])].join('\n');
}

/** Returns the function that converts an offset to a line, from 1, and a column, from 0. */
function placesOf(text: string): (offset: number | undefined) => Place {
  const starts = [0];
  let at = 0;
  for (const character of text) {
    at += 1;
    if (character === '\n') starts.push(at);
  }
  return (offset) => {
    if (offset === undefined) return { line: -1, column: -1 };
    if (text === '') return { line: 1, column: -1 };
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) };
  };
}

function displayOne(line: string | undefined, { line: number, column }: Place, message: string): string {
  const head = `ERROR: <input>:${number}:${column + 1}: ${message}`;
  if (line === undefined || new TextEncoder().encode(line).length > LONGEST_LINE) return head;
  const quoted = line.replaceAll('\t', ' ');
  const characters = [...quoted];
  const marks = characters.slice(0, column).map((each) => (isWide(each) ? '．' : '.'));
  const mark = isWide(characters[column] ?? '') ? '＾' : '^';
  return `${head}\n | ${quoted}\n | ${marks.join('')}${mark}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}

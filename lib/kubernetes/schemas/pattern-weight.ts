/** The weight of a Unicode class (`\pL`, `\p{Greek}`), which consists of tables of ranges. */
const UNICODE_CLASS = 50;

const REPETITION = /\{(\d+)(?:,(\d*))?\}/y;

/**
 * Estimates the number of instructions of a regular expression: its characters and classes, each multiplied by the
 * enclosing counted repetitions. It is computed before compilation, because `a{1000}a{1000}…` compiles for seconds.
 * One pass over the text.
 */
export function patternWeight(pattern: string): number {
  const outer: number[] = [];
  let total = 0;
  /** The weight of the part that a following repetition repeats. */
  let last = 0;
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at);
    if (character === '(') {
      outer.push(total);
      total = 1;
      at += 1;
      continue;
    }
    const times = character === '{' ? repetition(pattern, at) : undefined;
    if (times !== undefined) {
      total += last * (times.most - 1);
      last *= times.most;
      at = times.end;
      continue;
    }
    const one = character === ')' ? { weight: total, end: at + 1 } : atom(pattern, at);
    if (character === ')') total = outer.pop() ?? 0;
    total += one.weight;
    last = one.weight;
    at = one.end;
  }
  return total + outer.reduce((sum, weight) => sum + weight, 0);
}

interface Part {
  readonly weight: number;
  /** The index of the next part. */
  readonly end: number;
}

function repetition(
  pattern: string,
  at: number,
): { readonly most: number; readonly end: number } | undefined {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(pattern);
  if (found === null) return undefined;
  const [, least, most = least] = found;
  return { most: Math.max(Number(least), Number(most), 1), end: REPETITION.lastIndex };
}

/** Reads a character, an escape or a class. */
function atom(pattern: string, at: number): Part {
  const character = pattern.charAt(at);
  if (character === '\\') return escaped(pattern, at);
  return character === '[' ? characterClass(pattern, at) : { weight: 1, end: at + 1 };
}

function escaped(pattern: string, at: number): Part {
  if (!'pP'.includes(pattern.charAt(at + 1))) return { weight: 1, end: at + 2 };
  if (pattern.charAt(at + 2) !== '{') return { weight: UNICODE_CLASS, end: at + 3 };
  return { weight: UNICODE_CLASS, end: behind(pattern, '}', at) };
}

/** Reads a class. A bracket directly after its beginning is a character of the class. */
function characterClass(pattern: string, from: number): Part {
  let weight = 1;
  let at = from + (pattern.charAt(from + 1) === '^' ? 2 : 1);
  if (pattern.charAt(at) === ']') at += 1;
  while (at < pattern.length && pattern.charAt(at) !== ']') {
    const own = pattern.charAt(at) === '\\' ? escaped(pattern, at) : undefined;
    if (own !== undefined && own.weight > 1) weight += own.weight;
    at = pattern.startsWith('[:', at) ? behind(pattern, ':]', at) : (own?.end ?? at + 1);
  }
  return { weight, end: at + 1 };
}

/**
 * Returns the index after the mark. If the mark is missing, it is the end of the text, because such an expression
 * does not compile.
 */
function behind(pattern: string, mark: string, from: number): number {
  const found = pattern.indexOf(mark, from);
  return found < 0 ? pattern.length : found + mark.length;
}

import { ArrayList, CelError, type ListValue, lengthOf, unitAt, type Value } from '../values/index.ts';
import { type Implementations, type Runtime, typed } from './implementation.ts';
import { TextSearch } from './text-search.ts';

/** The characters that Go's strings.TrimSpace removes. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Functions of texts, by overload id. Positions count code points. */
export const TEXTS: Implementations = {
  contains_string: typed((_, text: string, part: string) => new TextSearch(part).first(text, 0) !== -1),
  ends_with_string: typed((_, text: string, part: string) => text.endsWith(part)),
  starts_with_string: typed((_, text: string, part: string) => text.startsWith(part)),
  string_char_at_int: typed((runtime, text: string, at: bigint) => {
    if (at === BigInt(measure(runtime, text))) return '';
    const from = unitOf(text, at);
    if (from === undefined) return outOfRange(at);
    return String.fromCodePoint(text.codePointAt(from) ?? 0);
  }),
  string_index_of_string: typed((runtime, text: string, part: string) => indexIn(runtime, text, part, 0n)),
  string_index_of_string_int: typed(indexIn),
  string_last_index_of_string: typed((runtime, text: string, part: string) => {
    const length = BigInt(measure(runtime, text));
    return part === '' ? length : lastIndexIn(runtime, text, part, length - 1n);
  }),
  string_last_index_of_string_int: typed(lastIndexIn),
  string_lower_ascii: typed(({ meter }, text: string) => {
    meter.buildText(text.length);
    return text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  }),
  string_upper_ascii: typed(({ meter }, text: string) => {
    meter.buildText(text.length);
    return text.replace(/[a-z]+/g, (part) => part.toUpperCase());
  }),
  string_trim: typed(({ meter }, text: string) => {
    meter.buildText(text.length);
    return trimmed(text);
  }),
  string_replace_string_string: typed((runtime, text: string, old: string, by: string) =>
    replaced(runtime, [text, old, by], -1n),
  ),
  string_replace_string_string_int: typed((runtime, text: string, old: string, by: string, limit: bigint) =>
    replaced(runtime, [text, old, by], limit),
  ),
  string_split_string: typed((runtime, text: string, by: string) => split(runtime, text, by, -1n)),
  string_split_string_int: typed(split),
  string_substring_int: typed((runtime, text: string, from: bigint) => {
    measure(runtime, text);
    const start = unitOf(text, from);
    return start === undefined ? outOfRange(from) : text.slice(start);
  }),
  string_substring_int_int: typed((runtime, text: string, from: bigint, to: bigint) => {
    measure(runtime, text);
    if (from > to) return new CelError(`invalid substring range. start: ${from}, end: ${to}`);
    const [start, end] = [unitOf(text, from), unitOf(text, to)];
    if (start === undefined) return outOfRange(from);
    return end === undefined ? outOfRange(to) : text.slice(start, end);
  }),
  string_find_string: typed((runtime, text: string, pattern: string) => {
    const found = find(runtime, text, pattern, 1n);
    return found instanceof CelError ? found : (found[0] ?? '');
  }),
  string_find_all_string: typed((runtime, text: string, pattern: string) =>
    listOf(find(runtime, text, pattern, -1n)),
  ),
  string_find_all_string_int: typed((runtime, text: string, pattern: string, limit: bigint) =>
    listOf(find(runtime, text, pattern, limit)),
  ),
  list_join: typed((runtime, texts: ListValue) => join(runtime, texts, '')),
  list_join_string: typed(join),
};

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** Counts the work of a pass over a text, and returns its length. */
function measure({ meter }: Runtime, text: string): number {
  meter.work(text.length >> 6);
  return lengthOf(text);
}

/** Returns the index of a code point in UTF-16 units; undefined if it is out of range. */
function unitOf(text: string, point: bigint): number | undefined {
  return point < 0n || point > BigInt(text.length) ? undefined : unitAt(text, Number(point));
}

function indexIn(runtime: Runtime, text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const length = measure(runtime, text);
  const start = from >= BigInt(length) ? undefined : unitOf(text, from);
  return start === undefined ? -1n : pointAt(text, new TextSearch(part).first(text, start));
}

function lastIndexIn(runtime: Runtime, text: string, part: string, from: bigint): Value {
  if (part === '') return from;
  const length = measure(runtime, text);
  if (from < 0n) return outOfRange(from);
  if (from >= BigInt(length)) return -1n;
  const start = unitOf(text, from) ?? 0;
  return pointAt(text, new TextSearch(part).last(text, start));
}

function pointAt(text: string, unit: number): bigint {
  return unit === -1 ? -1n : BigInt(lengthOf(text.slice(0, unit)));
}

/** Goes from both ends. A regular expression would take quadratic time for spaces in the middle. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function replaced(
  runtime: Runtime,
  [text, old, by]: readonly [string, string, string],
  limit: bigint,
): Value {
  if (old === by || limit === 0n) return text;
  if (old === '') return spread(runtime, text, by, limit);
  const pieces = new TextSearch(old).split(text);
  const count = limit < 0n ? pieces.length - 1 : Math.min(pieces.length - 1, Number(limit));
  runtime.meter.buildText(text.length + count * (by.length - old.length));
  if (pieces.length === count + 1) return pieces.join(by);
  return [pieces.slice(0, count + 1).join(by), ...pieces.slice(count + 1)].join(old);
}

/** The characters that are joined at once. An array of all characters would take ten times the memory of the text. */
const JOINED = 4096;

/** Writes a text before each character and at the end, so many times at most. */
function spread({ meter }: Runtime, text: string, by: string, limit: bigint): string {
  meter.buildElements(text.length);
  const gaps = lengthOf(text) + 1;
  const count = limit < 0n || limit > gaps ? gaps : Number(limit);
  meter.buildText(text.length + count * by.length);
  const written: string[] = [];
  let pieces: string[] = [];
  let [left, at] = [count, 0];
  for (const character of text) {
    if (left === 0) break;
    pieces.push(character);
    left -= 1;
    at += character.length;
    if (pieces.length < JOINED && left > 0) continue;
    written.push(by, pieces.join(by));
    pieces = [];
  }
  if (pieces.length > 0) written.push(by, pieces.join(by));
  return [...written, left > 0 ? by : '', text.slice(at)].join('');
}

function split(runtime: Runtime, text: string, by: string, limit: bigint): Value {
  if (limit === 0n) return new ArrayList([]);
  runtime.meter.buildElements(by === '' ? text.length : 0);
  const pieces = by === '' ? [...text] : new TextSearch(by).split(text);
  runtime.meter.buildElements(pieces.length);
  if (limit < 0n || BigInt(pieces.length) <= limit) return new ArrayList(pieces);
  const most = Number(limit);
  return new ArrayList([...pieces.slice(0, most - 1), pieces.slice(most - 1).join(by)]);
}

function join({ meter }: Runtime, texts: ListValue, separator: string): Value {
  let size = 0;
  const parts: string[] = [];
  for (const text of texts) {
    if (typeof text !== 'string') {
      return new CelError('join: invalid input: the list has elements that are no texts');
    }
    size += text.length + separator.length;
    meter.limit(size);
    parts.push(text);
  }
  meter.buildText(size);
  return parts.join(separator);
}

/** The steps for one match. Each may look through the rest of the text. */
const MATCH = 200;

function find(
  { meter, regexes }: Runtime,
  text: string,
  pattern: string,
  limit: bigint,
): readonly string[] | CelError {
  const regex = regexes(pattern);
  if ('error' in regex) return new CelError(`Illegal regex: ${regex.error}`);
  meter.match(regex.size, text.length);
  const most = limit < 0n ? -1 : Number(limit);
  return most === 0 ? [] : regex.find(text, most, () => meter.work(MATCH));
}

function listOf(found: readonly string[] | CelError): Value {
  return found instanceof CelError ? found : new ArrayList([...found]);
}

import { type Implementations, typed } from '../functions/index.ts';

/** How CEL and Go write characters that a quoted text cannot contain. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** Quotes a text as Go's `%q` does: characters that cannot be printed are escaped. */
export function quoteLikeGo(text: string): string {
  const quoted = text.replace(/[\\"]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (each) => {
    const named = ESCAPES.get(each);
    if (named !== undefined) return named;
    const point = each.codePointAt(0) ?? 0;
    if (point < 0x20 || point === 0x7f) return `\\x${hex(point, 2)}`;
    return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
  });
  return `"${quoted}"`;
}

function hex(point: number, digits: number): string {
  return point.toString(16).padStart(digits, '0');
}

/** The function `strings.quote`. */
export const QUOTES: Implementations = {
  strings_quote: typed(({ meter }, text: string) => {
    meter.buildText(text.length * 2);
    return quote(text);
  }),
};

const QUOTED = new RegExp(`[${[...ESCAPES.keys()].join('').replace('\\', '\\\\')}]`, 'g');

function quote(text: string): string {
  const escaped = text.toWellFormed().replace(QUOTED, (each) => ESCAPES.get(each) ?? each);
  return `"${escaped}"`;
}

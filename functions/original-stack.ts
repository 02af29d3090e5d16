import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A module's URL, line and column. */
const PLACE = /(file:\S+?):(\d+):(\d+)/g;

/**
 * The stack of an error with places in our sources instead of the bundle that this is part of. Its source map is
 * read when the first error is logged: Node's `--enable-source-maps` would read it at every start of a function.
 */
export function originalStack(stack: string): string {
  return stack.replace(PLACE, (place, url, line, column) => {
    if (url !== import.meta.url) return place;
    const origin = sourceMap()?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

let read: { readonly map: SourceMap | undefined } | undefined;

function sourceMap(): SourceMap | undefined {
  read ??= { map: readSourceMap() };
  return read.map;
}

/** `undefined` where the map is not beside the bundle. */
function readSourceMap(): SourceMap | undefined {
  const [bundle] = import.meta.url.split('?');
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}

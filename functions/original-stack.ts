import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A module's URL, line and column. */
const PLACE = /(file:\S+?):(\d+):(\d+)/g;

/**
 * The stack of an error with positions in the sources instead of the bundle. The first logged error of a file reads its
 * source map. Node's `--enable-source-maps` would read it at every start of a function.
 */
export function originalStack(stack: string): string {
  return stack.replace(PLACE, (place, url, line, column) => {
    const origin = sourceMapOf(url)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

const read = new Map<string, SourceMap | undefined>();

function sourceMapOf(url: string): SourceMap | undefined {
  const [file = ''] = url.split('?');
  if (!read.has(file)) read.set(file, readSourceMap(file));
  return read.get(file);
}

/** The source map next to a file; undefined if there is none. */
function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}

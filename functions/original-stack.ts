import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A module's URL, line and column. */
const PLACE = /(file:\S+?):(\d+):(\d+)/g;

/**
 * The stack of an error with places in our sources instead of the bundle that this is part of. A file's source map is
 * read when the first error in it is logged: Node's `--enable-source-maps` would read it at every start of a function.
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

/** `undefined` where no map is beside the file. */
function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../../infra/bundle/index.ts';
import type { CallFrame } from './shares.ts';

/** Finds the source files of functions in bundles, by the source maps beside the bundles. */
export class OriginalFiles {
  readonly #maps = new Map<string, SourceMap | undefined>();

  /** The path of a function's source file, relative to the project. */
  of({ url, lineNumber, columnNumber }: CallFrame): string {
    const file = fileURLToPath(url);
    const entry = this.#mapOf(file)?.findEntry(lineNumber, columnNumber);
    const isMapped = entry !== undefined && 'originalSource' in entry;
    return relative(root, isMapped ? join(dirname(file), entry.originalSource) : file);
  }

  #mapOf(file: string): SourceMap | undefined {
    if (this.#maps.has(file)) return this.#maps.get(file);
    const beside = `${file}.map`;
    const map = existsSync(beside) ? new SourceMap(JSON.parse(readFileSync(beside, 'utf8'))) : undefined;
    this.#maps.set(file, map);
    return map;
  }
}

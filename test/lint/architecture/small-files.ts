import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

/** The most lines of a file that needs a reason to be apart from its importer. */
const SMALL = 40;
/** The number of lines that a file and its importer stay below together. */
const TOGETHER = 200;

/** A file with tests or their helpers. Its path begins at the project's root. */
export interface TestFile {
  readonly path: string;
  readonly source: string;
}

/**
 * The small files without a reason to be apart, each with the importer that it belongs to. The reasons are: two
 * importers, an importer in another folder, a test of its own, a load on demand, or a large importer. A file that an
 * `index.ts` exports is public.
 */
export function smallFiles(
  files: readonly SourceFile[],
  tests: readonly TestFile[],
): ReadonlyMap<string, string> {
  const importers = importersOf(files);
  const tested = testedBy(tests);
  const found = new Map<string, string>();
  for (const { path, lines } of files) {
    const [importer, ...others] = importers.get(path) ?? [];
    if (lines > SMALL || importer === undefined || others.length > 0 || tested.has(path)) continue;
    const { from, isPublic } = importer;
    const isTogether = posix.dirname(from.path) === posix.dirname(path) && lines + from.lines < TOGETHER;
    if (isTogether && !isPublic) found.set(path, from.path);
  }
  return found;
}

interface Importer {
  readonly from: SourceFile;
  /** Whether it loads the file on demand, or is an `index.ts` that exports it. */
  readonly isPublic: boolean;
}

/** By path, the files that import it. */
function importersOf(files: readonly SourceFile[]): ReadonlyMap<string, readonly Importer[]> {
  const importers = new Map<string, Importer[]>();
  for (const from of files) {
    const isFace = posix.basename(from.path) === 'index.ts';
    for (const [target, imports] of Map.groupBy(from.imports, (one) => one.target)) {
      const isPublic = imports.some(({ how }) => how === 'load' || (isFace && how === 'export'));
      importers.set(target, [...(importers.get(target) ?? []), { from, isPublic }]);
    }
  }
  return importers;
}

/** The files that a test imports, and those that have a test of the same path below `test/unit`. */
function testedBy(tests: readonly TestFile[]): ReadonlySet<string> {
  return new Set(
    tests.flatMap(({ path, source }) => {
      const imported = source.matchAll(/'(\.\.?\/[^'\n]+\.ts)'/g);
      const [, own] = /^test\/unit\/(.+?)(?:\.long)?\.test\.ts$/.exec(path) ?? [];
      return [
        ...[...imported].map(([, target = '']) => posix.join(posix.dirname(path), target)),
        ...(own === undefined ? [] : [`${own}.ts`, `lib/${own}.ts`]),
      ];
    }),
  );
}

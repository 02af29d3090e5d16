import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { buildSync, type Metafile } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const KIB = 1024;
const FACE = './lib/selectors/index.ts';

/** The exports that most users need. Their bundle must stay small. */
const LANGUAGE = ['parseSelector', 'fromLabelSelector'];
const ALGEBRA = ['implies', 'canOverlap', 'equal', 'intersect', 'simplify'];
const NODES = ['fromNodeSelector', 'readNodeSelector', 'validateNodeSelector'];

describe('the public interface of lib/selectors', () => {
  it('lib/selectors imports nothing from outside its folder', () => {
    const { inputs } = bundle(`export * from '${FACE}'`).metafile;
    const files = Object.keys(inputs).filter((file) => file !== '<stdin>');
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !file.startsWith('lib/selectors/'))).toEqual([]);
    const imports = Object.values(inputs).flatMap((input) => input.imports);
    expect(imports.filter((one) => one.external)).toEqual([]);
  });

  it('a bundle of parsing and matching takes at most 12 KiB, without the index and the algebra', () => {
    const { bytes, metafile } = bundleOf(LANGUAGE);
    expect(bytes).toBeLessThanOrEqual(12 * KIB);
    expect(usedOf(metafile, 'parse-selector.ts')).toBeGreaterThan(0);
    for (const unused of ['match-index/', 'algebra/', 'nodes/', 'compiled/']) {
      // The bundle holds no code of it, only constants that a bundler cannot prove unused.
      expect([unused, usedOf(metafile, unused) < 128]).toEqual([unused, true]);
    }
  });

  it.each([
    ['the set algebra', ALGEBRA, 'algebra/', 5],
    ['node selectors', NODES, 'nodes/', 6],
    ['compiled matchers', ['Vocabulary'], 'compiled/', 7],
    ['the match index', ['MatchIndex'], 'match-index/', 28],
  ])('a bundle contains %s only if it is imported', (_title, names, folder, limit) => {
    const language = bundleOf(LANGUAGE).bytes;
    const { bytes, metafile } = bundleOf([...LANGUAGE, ...names]);
    expect(usedOf(metafile, folder)).toBeGreaterThan(KIB);
    expect(bytes - language).toBeLessThanOrEqual(limit * KIB);
  });
});

function bundleOf(names: readonly string[]): { readonly bytes: number; readonly metafile: Metafile } {
  return bundle(`export { ${names} } from '${FACE}'`);
}

function bundle(contents: string): { readonly bytes: number; readonly metafile: Metafile } {
  const { metafile, outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    metafile: true,
    write: false,
  });
  return { bytes: outputFiles.reduce((sum, { contents: file }) => sum + file.length, 0), metafile };
}

/** The bytes in the bundle that come from one part of the package. */
function usedOf(metafile: Metafile, part: string): number {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const ours = used.filter(([file]) => file.startsWith(`lib/selectors/${part}`));
  return ours.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
}

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { root } from '../../../../infra/bundle/index.ts';

it.each([
  ['objects', 12_000],
  ['definition', 7_000],
  ['react', 1_000],
])(
  'The bundle of %s for a page has no dependency, no module of Node, and at most %i bytes',
  async (entry, most) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, 'lib/client', entry, 'index.ts')],
      absWorkingDir: root,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      // A page that uses both entries loads the first one once.
      external: entry === 'objects' ? [] : ['../objects/index.ts', 'react'],
      write: false,
      metafile: true,
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((path) => !path.startsWith('lib/client/'))).toEqual([]);
    expect(inputs.length).toBeGreaterThan(1);
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(most);
  },
);

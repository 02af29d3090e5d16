import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { root } from '../../../../infra/bundle/index.ts';

const MOST_BYTES = 12_000;

it('The client for a page has no dependency, no module of Node, and at most 12 KB compressed', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'lib/client/objects/index.ts')],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => !path.startsWith('lib/client/'))).toEqual([]);
  expect(inputs.length).toBeGreaterThan(5);
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(MOST_BYTES);
});

import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { root } from './files.ts';

/** What functions import on demand, and hardly ever. */
const ALONE = ['functions/fill-client/lambda-invocations.ts'];

const NAMESPACE = 'alone';

/**
 * Bundles each of {@link ALONE} for itself, with copies of what it shares with a start. As a part of the program it
 * would have more kept of what both import, and every start loads that: 21 KiB for the client of Lambda, which has
 * another protocol than those of DynamoDB and SQS.
 */
export function alone(options: BuildOptions): Plugin {
  return {
    name: 'alone',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = relative(root, join(resolveDir, path));
        return ALONE.includes(file) ? { path: file, namespace: NAMESPACE } : undefined;
      });
      onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => {
        const { outputFiles } = await build({
          ...options,
          entryPoints: [join(root, path)],
          outdir: join(root, 'dist'),
          sourcemap: 'inline',
          write: false,
        });
        return { contents: outputFiles[0]?.text ?? '', resolveDir: root };
      });
    },
  };
}

import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { root } from './files.ts';

/** Modules that functions import dynamically, and rarely. */
const ALONE = ['functions/fill-client/lambda-invocations.ts'];

const NAMESPACE = 'alone';

/**
 * Bundles each module of {@link ALONE} separately, with copies of the code that it shares with the program. Inside the
 * program, esbuild would keep more of the shared modules, and every start would load them: 21 KiB for the client of
 * Lambda, whose protocol differs from those of DynamoDB and SQS.
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

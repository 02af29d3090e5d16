import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../../../infra/bundle/index.ts';
import type { FunctionName } from '../../../lib/platform/function-names.ts';

const OWN = join(import.meta.dirname, 'next-schema.ts');

/** Has functions open the table as the next version does. */
const nextSchema: Plugin = {
  name: 'next-schema',
  setup({ onLoad }) {
    onLoad({ filter: /\/lib\/store\/dynamodb\/open-table\.ts$/ }, async () => ({
      contents: await readFile(OWN, 'utf8'),
      loader: 'ts',
      resolveDir: dirname(OWN),
    }));
  },
};

/** Builds functions of the next version into a folder: `<name>/index.mjs` for each. */
export async function bundleNext(names: readonly FunctionName[], outdir: string): Promise<void> {
  for (const name of names) {
    await build({
      entryPoints: [{ in: join(root, 'functions', `${name}.ts`), out: 'index' }],
      outdir: join(outdir, name),
      outExtension: { '.js': '.mjs' },
      absWorkingDir: root,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      mainFields: ['module', 'main'],
      external: ['@smithy/core/event-streams'],
      plugins: [nextSchema],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'error',
    });
  }
}

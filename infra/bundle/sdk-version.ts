import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Bundles only the version of the package.json that each SDK client imports. */
export const sdkVersion: Plugin = {
  name: 'sdk-version',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

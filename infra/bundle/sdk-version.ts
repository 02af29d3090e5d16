import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The SDK's clients read their own package.json for their version, which is all of it that is bundled. */
export const sdkVersion: Plugin = {
  name: 'sdk-version',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

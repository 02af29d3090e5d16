import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** The length of JSON, in characters, from which a bundle has it compressed. Each function has its own copy. */
const LARGE = 256 * 1024;

/**
 * Bundles JSON as text that is parsed at load. V8 parses JSON several times as fast as JavaScript, and compiles
 * nothing. Large JSON, which no start loads, is compressed to a fifth.
 * https://v8.dev/blog/cost-of-javascript-2019#json
 */
export const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\/lib\/.*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: text.length < LARGE ? plain(text) : compressed(text), loader: 'js' };
    });
  },
};

function plain(text: string): string {
  return `export default JSON.parse(${JSON.stringify(text)});`;
}

function compressed(text: string): string {
  const bytes = brotliCompressSync(text).toString('base64');
  return `import { brotliDecompressSync } from 'node:zlib';
export default JSON.parse(brotliDecompressSync(Buffer.from('${bytes}', 'base64')).toString());`;
}

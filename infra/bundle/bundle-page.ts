import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { root } from './files.ts';

/** A file of a page, in memory. */
export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array;
  /** The body compressed with gzip; undefined if that saves nothing. */
  readonly gzipped: Uint8Array | undefined;
}

/** A page whose files have names with a hash of their content. */
export interface Page {
  readonly html: PageFile;
  /** By path, such as `/main-5XQ2PZ7A.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
}

/** The part of its size that a compressed file may have at most; fonts are compressed already. */
const WORTH = 0.9;
const INDEX = 'index.html';
/** A local file that the page's HTML names, such as `src="main.js"`. */
const NAMED = /(?<=\b(?:href|src)=")(?![a-z]+:|[/#])[^"?#]+(?=")/g;
/** The sources of a script, in order of preference. */
const SOURCES = ['.tsx', '.ts', '.js'];

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Leaves out `@lezer/common` where nothing of it is used. `@codemirror/commands` imports it for commands that know a
 * grammar, and the package does not declare that it has no side effects.
 */
const WITHOUT_UNUSED: Plugin = {
  name: 'without-unused',
  setup: ({ onResolve, resolve }) => {
    const isResolving = Symbol('resolving');
    onResolve({ filter: /^@lezer\/common$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === isResolving) return undefined;
      const found = await resolve(path, { ...options, pluginData: isResolving });
      return { ...found, sideEffects: false };
    });
  },
};

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.woff2': 'file', '.svg': 'copy', '.png': 'copy' },
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  publicPath: '/',
  outdir: '/',
  metafile: true,
  write: false,
  logLevel: 'silent',
  plugins: [WITHOUT_UNUSED],
} as const satisfies BuildOptions;

/**
 * Builds a page in memory: the files that `index.html` of the folder names, and all that they import. A script
 * `main.js` is built from `main.tsx`, `main.ts` or `main.js`. The returned HTML has the new names.
 *
 * @throws {Error} the HTML names a missing file, or the code has faults; the message names files and lines
 */
export async function bundlePage(folder: string): Promise<Page> {
  const html = await readFile(join(folder, INDEX), 'utf8');
  const sources = new Map((html.match(NAMED) ?? []).map((name) => [sourceOf(folder, name), name]));
  const { outputFiles, metafile } = await build({ ...OPTIONS, entryPoints: [...sources.keys()] });
  const paths = new Map(
    Object.entries(metafile.outputs).flatMap(([output, { entryPoint, inputs }]) => {
      const [source = ''] = entryPoint === undefined ? Object.keys(inputs) : [entryPoint];
      const name = sources.get(join(root, source));
      return name === undefined ? [] : [[name, served(join(root, output))]];
    }),
  );
  const files = outputFiles.map(
    async ({ path, contents }) => [served(path), await pageFile(path, contents)] as const,
  );
  const renamed = html.replace(NAMED, (name) => paths.get(name) ?? name);
  return { html: await pageFile(INDEX, Buffer.from(renamed)), files: new Map(await Promise.all(files)) };
}

function sourceOf(folder: string, name: string): string {
  const path = join(folder, name);
  const extension = extname(path);
  const candidates =
    extension === '.js' ? SOURCES.map((source) => `${path.slice(0, -extension.length)}${source}`) : [path];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${join(folder, INDEX)} names ${name}, which does not exist`);
  return found;
}

function served(path: string): string {
  return `/${relative('/', path)}`;
}

async function pageFile(path: string, body: Uint8Array): Promise<PageFile> {
  const type = TYPES[extname(path)];
  if (type === undefined) throw new Error(`${path} has no known content type: add it to infra/bundle`);
  // A lower memLevel makes shorter blocks, whose codes fit these scripts better.
  const gzipped = await promisify(gzip)(body, { level: 9, memLevel: 7 });
  return { type, body, gzipped: gzipped.length < body.length * WORTH ? gzipped : undefined };
}

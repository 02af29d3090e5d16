import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { root, writeWhole } from './files.ts';
import { demandedIn, joinStart } from './join-start.ts';
import { pastFaces } from './past-faces.ts';
import { type Output, reachedFrom } from './reached-from.ts';

/** The length of JSON, in characters, from which a bundle has it compressed. Each function has its own copy. */
const LARGE = 256 * 1024;

/**
 * Bundles JSON as text that is parsed at load. V8 parses JSON several times as fast as JavaScript, and compiles
 * nothing. Large JSON, which no start loads, is compressed to a fifth.
 * https://v8.dev/blog/cost-of-javascript-2019#json
 */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\/lib\/.*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: text.length < LARGE ? plainModule(text) : compressedModule(text), loader: 'js' };
    });
  },
};

/** Bundles only the version of the package.json that each SDK client imports. */
const sdkVersion: Plugin = {
  name: 'sdk-version',
  setup({ onLoad }) {
    onLoad({ filter: /@aws-sdk\/client-[^/]+\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

const EXTENSION = '.mjs';

/** Defines `require`, which the CommonJS parts of the SDK call and ES modules lack. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bytes of code by package or folder, the largest first. */
export type Parts = Readonly<Record<string, number>>;

export interface Bundled {
  /** All files of the bundle, including source maps and chunks. */
  readonly files: readonly string[];
  /** The files that every start loads, relative to the repository. */
  readonly loaded: readonly string[];
  /** The size of the code that every start loads: the entry point without the chunks that are loaded on demand. */
  readonly bytes: number;
  /** The parts of those bytes. */
  readonly parts: Parts;
}

/**
 * Bundles one entry point for Node 24 into an ES module and its source map. Dynamically imported code goes into
 * `chunks/`. The code that every start loads goes there too, as a single file, because each file costs start time. A
 * first build finds the dynamic imports, and those among them that no code reaches.
 */
export async function bundle(entryPoint: string, outfile: string): Promise<Bundled> {
  const options = {
    ...PROGRAM,
    entryPoints: [{ in: entryPoint, out: basename(outfile, EXTENSION) }],
    outdir: dirname(outfile),
  };
  const first = relative(root, outfile);
  const drafted = await build({ ...options, ...DRAFT });
  const demanded = demandedIn(drafted.metafile, relative(root, entryPoint), first);
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [...PROGRAM.plugins, joinStart(entryPoint, demanded)],
  });
  return written(metafile, first, outputFiles);
}

/** Writes the outputs that the first output reaches. esbuild also creates chunks that only removed code imports. */
async function written(
  metafile: Metafile,
  first: string,
  outputFiles: readonly OutputFile[],
): Promise<Bundled> {
  const reached = new Set(
    reachedFrom(metafile, first, () => true).flatMap(([path]) => [path, `${path}.map`]),
  );
  const files = outputFiles.filter(({ path }) => reached.has(relative(root, path))).map(withoutBanner);
  for (const { path, contents } of files) await writeWhole(path, contents);
  const sizes = new Map(files.map(({ path, contents }) => [relative(root, path), contents.length]));
  const atStart = reachedFrom(metafile, first, ({ kind }) => kind !== 'dynamic-import');
  const loaded = atStart.map(([path, { inputs }]) => ({ path, inputs, bytes: sizes.get(path) ?? 0 }));
  return {
    files: files.map(({ path }) => path),
    loaded: loaded.map(({ path }) => path),
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    parts: partsOf(loaded),
  };
}

/**
 * Removes the banner from chunks that do not call `require`. An empty line stays in its place, so that source maps are
 * right.
 */
function withoutBanner({ path, contents, text }: OutputFile): Pick<OutputFile, 'path' | 'contents'> {
  const code = text.slice(BANNER.length);
  const idle = text.startsWith(BANNER) && !/\brequire\b/.test(code);
  return { path, contents: idle ? Buffer.from(code) : contents };
}

/** Options for programs and for parts of programs. */
const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  outExtension: { '.js': EXTENSION },
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/default-provider.ts'),
    'node:util': join(root, 'infra/bundle/util.ts'),
    'node:stream/web': join(root, 'infra/bundle/stream-web.ts'),
    '@aws-sdk/middleware-endpoint-discovery': join(root, 'infra/bundle/endpoint-discovery.ts'),
    '@smithy/core/event-streams': join(root, 'infra/bundle/event-streams.ts'),
    // ES modules of the same package. Of the CommonJS that Node loads, esbuild would keep the parser too, 67 KB.
    'yaml/util': join(root, 'node_modules/yaml/browser/dist/util.js'),
    yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
  },
  plugins: [sdkVersion, jsonAsText, pastFaces],
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  banner: { js: BANNER },
  logLevel: 'error',
  metafile: true,
} as const satisfies BuildOptions;

const PROGRAM = {
  ...OPTIONS,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
} as const satisfies BuildOptions;

/** Options of a build that is only analyzed. */
const DRAFT = { sourcemap: false, minifyWhitespace: false, minifyIdentifiers: false } as const;

function partsOf(outputs: readonly Pick<Output, 'inputs'>[]): Parts {
  const sums = new Map<string, number>();
  for (const [file, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const part = partOf(file);
    sums.set(part, (sums.get(part) ?? 0) + bytesInOutput);
  }
  return Object.fromEntries([...sums].sort(([, left], [, right]) => right - left));
}

/** `node_modules/@smithy/core/dist-es/…` belongs to `@smithy/core`, `lib/store/dynamodb/…` to `lib/store`. */
function partOf(file: string): string {
  const [first = '', second = ''] = (file.split('node_modules/').at(-1) ?? '').split('/');
  return file.includes('node_modules/') && !first.startsWith('@') ? first : `${first}/${second}`;
}

function plainModule(text: string): string {
  return `export default JSON.parse(${JSON.stringify(text)});`;
}

function compressedModule(text: string): string {
  const bytes = brotliCompressSync(text).toString('base64');
  return `import { brotliDecompressSync } from 'node:zlib';
export default JSON.parse(brotliDecompressSync(Buffer.from('${bytes}', 'base64')).toString());`;
}

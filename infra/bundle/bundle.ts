import { basename, dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile } from 'esbuild';
import { root, writeWhole } from './files.ts';
import { sdkVersion } from './sdk-version.ts';

const EXTENSION = '.mjs';

/** The SDK has CommonJS parts that call `require`, which an ES module does not have. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bytes of the code by the package or folder that they come from, most first. */
export type Parts = Readonly<Record<string, number>>;

export interface Bundled {
  /** Every file of the bundle, source maps and chunks included. */
  readonly files: readonly string[];
  /** Size of what every start loads: the code of the entry point without the chunks that wait until they are asked for. */
  readonly bytes: number;
  /** What those bytes are made of. */
  readonly parts: Parts;
}

/**
 * Bundles one entry point for Node 24 into an ES module with its source map beside it. What it imports on demand
 * goes into `chunks/`, where that makes less to load at a start: what is shared with a chunk is kept whole, so a
 * function that asks for next to nothing on demand is smaller in one piece.
 */
export async function bundle(entryPoint: string, outfile: string): Promise<Bundled> {
  const [split, whole] = await Promise.all([
    built(entryPoint, outfile, { splitting: true }),
    built(entryPoint, outfile, { splitting: false }),
  ]);
  const { outputFiles, loaded } = whole.bytes < split.bytes ? whole : split;
  for (const { path, contents } of outputFiles) await writeWhole(path, contents);
  return { files: outputFiles.map(({ path }) => path), bytes: bytesOf(loaded), parts: partsOf(loaded) };
}

async function built(entryPoint: string, outfile: string, { splitting }: { splitting: boolean }) {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    splitting,
    entryPoints: [{ in: entryPoint, out: basename(outfile, EXTENSION) }],
    outdir: dirname(outfile),
  });
  const files = outputFiles.map(withoutBanner);
  const sizes = new Map(files.map(({ path, contents }) => [relative(root, path), contents.length]));
  const loaded = loadedAtStart(metafile, relative(root, outfile)).map(([path, { inputs }]) => ({
    inputs,
    bytes: sizes.get(path) ?? 0,
  }));
  return { outputFiles: files, loaded, bytes: bytesOf(loaded) };
}

/** Most chunks call no `require`. The line stays, so that source maps are right. */
function withoutBanner({ path, contents, text }: OutputFile): Pick<OutputFile, 'path' | 'contents'> {
  const code = text.slice(BANNER.length);
  const idle = text.startsWith(BANNER) && !/\brequire\b/.test(code);
  return { path, contents: idle ? Buffer.from(code) : contents };
}

function bytesOf(outputs: readonly Loaded[]): number {
  return outputs.reduce((sum, { bytes }) => sum + bytes, 0);
}

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  chunkNames: 'chunks/[name]-[hash]',
  outExtension: { '.js': EXTENSION },
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/bundle/default-provider.ts'),
    '@aws-sdk/middleware-endpoint-discovery': join(root, 'infra/bundle/endpoint-discovery.ts'),
  },
  // For operations that stream events, which DynamoDB and SQS have none of; it keeps much else from being left out.
  external: ['@smithy/core/event-streams'],
  plugins: [sdkVersion],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  banner: { js: BANNER },
  logLevel: 'error',
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

type Output = Metafile['outputs'][string];
type Loaded = Pick<Output, 'bytes' | 'inputs'>;

/** An output and what it imports, except on demand, by their paths. */
function loadedAtStart({ outputs }: Metafile, first: string): [path: string, Output][] {
  const paths = new Set([first]);
  // A set is gone through to the end of what is added meanwhile.
  for (const path of paths) {
    const here = outputs[path]?.imports.filter(
      ({ kind, external }) => kind !== 'dynamic-import' && !external,
    );
    for (const imported of here ?? []) paths.add(imported.path);
  }
  return [...paths].flatMap((path): [string, Output][] => {
    const output = outputs[path];
    return output === undefined ? [] : [[path, output]];
  });
}

function partsOf(outputs: readonly Loaded[]): Parts {
  const sums = new Map<string, number>();
  for (const [file, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const part = partOf(file);
    sums.set(part, (sums.get(part) ?? 0) + bytesInOutput);
  }
  return Object.fromEntries([...sums].sort(([, left], [, right]) => right - left));
}

/** `node_modules/@smithy/core/dist-es/…` is of `@smithy/core`, `lib/store/dynamodb/…` of `lib/store`. */
function partOf(file: string): string {
  const [first = '', second = ''] = (file.split('node_modules/').at(-1) ?? '').split('/');
  return file.includes('node_modules/') && !first.startsWith('@') ? first : `${first}/${second}`;
}

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type FunctionName, functionNames } from '../function-names.ts';
import { hashFiles, root, writeWhole } from './files.ts';

/** What a bundle is made of. The lock file stands for every dependency. */
const INPUTS = ['functions/**/*.ts', 'lib/**/*.ts', 'infra/bundle/*.ts', 'package-lock.json', 'package.json'];

/** The SDK has CommonJS parts that call `require`, which an ES module does not have. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

export interface Bundle {
  readonly name: FunctionName;
  /** The ES module that exports `handler`. */
  readonly file: string;
  /** Size of the code, without its source map. */
  readonly bytes: number;
}

export interface Bundles {
  /** Holds `<function>/index.mjs` for each function. */
  readonly directory: string;
  readonly bundles: readonly Bundle[];
}

/**
 * Bundles every entry point of `functions/` for Node 24 into `dist/functions/<name>/index.mjs`, unless nothing
 * has changed since the last time. Several processes may do so at once: a file appears whole or not at all.
 */
export async function bundleFunctions(): Promise<Bundles> {
  const directory = join(root, 'dist', 'functions');
  const stamp = join(directory, 'inputs.sha256');
  const inputs = await hashFiles(INPUTS);
  const files = functionNames.map((name) => ({ name, file: join(directory, name, 'index.mjs') }));
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== inputs) {
    await Promise.all(files.map(({ name, file }) => bundle(join(root, 'functions', `${name}.ts`), file)));
    await writeWhole(stamp, inputs);
  }
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
  return { directory, bundles: files.map((one, index) => ({ ...one, bytes: sizes[index] ?? 0 })) };
}

async function bundle(entryPoint: string, outfile: string): Promise<void> {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entryPoint], outfile });
  for (const { path, contents } of outputFiles) await writeWhole(path, contents);
}

const OPTIONS = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  banner: { js: BANNER },
  logLevel: 'error',
  write: false,
} as const satisfies BuildOptions;

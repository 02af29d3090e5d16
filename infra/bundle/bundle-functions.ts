import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FunctionName, functionNames } from '../function-names.ts';
import { bundle, type Parts } from './bundle.ts';
import { hashFiles, root, writeWhole } from './files.ts';

/** What a bundle is made of. The lock file stands for every dependency. */
const INPUTS = ['functions/**/*.ts', 'lib/**/*.ts', 'infra/bundle/*.ts', 'package-lock.json', 'package.json'];

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
    await Promise.all(
      files.map(async ({ name, file }) => {
        const parts = await bundle(join(root, 'functions', `${name}.ts`), file);
        await writeWhole(partsFile(directory, name), JSON.stringify(parts));
      }),
    );
    await writeWhole(stamp, inputs);
  }
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
  return { directory, bundles: files.map((one, index) => ({ ...one, bytes: sizes[index] ?? 0 })) };
}

/** What the code of a function in {@link Bundles} is made of. */
export async function readParts({ directory }: Bundles, name: FunctionName): Promise<Parts> {
  return JSON.parse(await readFile(partsFile(directory, name), 'utf8'));
}

/** Beside the function's directory, all of which is deployed. */
function partsFile(directory: string, name: FunctionName): string {
  return join(directory, `${name}.parts.json`);
}

import { glob, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FunctionName, functionNames } from '../function-names.ts';
import { type Bundled, bundle, type Parts } from './bundle.ts';
import { hashFiles, root, writeWhole } from './files.ts';

/** What a bundle is made of. The lock file stands for every dependency. */
const INPUTS = ['functions/**/*.ts', 'lib/**/*.ts', 'infra/bundle/*.ts', 'package-lock.json', 'package.json'];

export interface Bundle {
  readonly name: FunctionName;
  /** The ES module that exports `handler`. */
  readonly file: string;
  /** Size of the code that every start loads, without its source map. */
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
        const bundled = await bundle(join(root, 'functions', `${name}.ts`), file);
        await removeOthers(dirname(file), bundled);
        await writeWhole(factsFile(directory, name), JSON.stringify(bundled));
      }),
    );
    await writeWhole(stamp, inputs);
  }
  const bundles = files.map(async (one) => ({ ...one, bytes: (await readFacts(directory, one.name)).bytes }));
  return { directory, bundles: await Promise.all(bundles) };
}

/** The chunks of an earlier build: the whole directory is deployed. */
async function removeOthers(directory: string, { files }: Bundled): Promise<void> {
  for await (const path of glob('chunks/*', { cwd: directory })) {
    if (!files.includes(join(directory, path))) await rm(join(directory, path), { force: true });
  }
}

/** What the code that every start of a function in {@link Bundles} loads is made of. */
export async function readParts({ directory }: Bundles, name: FunctionName): Promise<Parts> {
  return (await readFacts(directory, name)).parts;
}

async function readFacts(directory: string, name: FunctionName): Promise<Bundled> {
  return JSON.parse(await readFile(factsFile(directory, name), 'utf8'));
}

/** Beside the function's directory, all of which is deployed. */
function factsFile(directory: string, name: FunctionName): string {
  return join(directory, `${name}.bundle.json`);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FunctionName, functionNames, mapBounded } from '../../lib/platform/index.ts';
import { type Bundled, bundle, type Parts } from './bundle.ts';
import { hashFiles, root, writeWhole } from './files.ts';
import { locked } from './locked.ts';
import { removeOthers } from './remove-others.ts';

/** The inputs of a bundle. The lock file stands for all dependencies. */
const INPUTS = [
  'functions/**/*.ts',
  'lib/**/*.ts',
  'lib/kubernetes/fields/*.json',
  'infra/bundle/*.ts',
  'package-lock.json',
  'package.json',
];

/** The built bundle of one function. */
export interface Bundle {
  readonly name: FunctionName;
  /** The ES module that exports `handler`. */
  readonly file: string;
  /** The code files that every start loads. */
  readonly loaded: readonly string[];
  /** The size of these files, without source maps. */
  readonly bytes: number;
}

export interface Bundles {
  /** Holds `<function>/index.mjs` for each function. */
  readonly directory: string;
  readonly bundles: readonly Bundle[];
}

/** Concurrent builds. Each takes about 300 MB. */
const AT_ONCE = 4;

/**
 * Bundles entry points of `functions/` for Node 24 into `dist/functions/<name>/index.mjs`, if their inputs have
 * changed. Default: all entry points. If several processes call it, one builds and the others wait. Files are written
 * atomically.
 */
export async function bundleFunctions(names: readonly FunctionName[] = functionNames): Promise<Bundles> {
  const directory = join(root, 'dist', 'functions');
  const inputs = await hashFiles(INPUTS);
  const isOld = async (name: FunctionName) => (await readFacts(directory, name))?.inputs !== inputs;
  const olds = async () =>
    (await Promise.all(names.map(isOld))).flatMap((old, at) => (old ? (names[at] ?? []) : []));
  if ((await olds()).length > 0) {
    await locked(join(directory, 'lock'), async () => {
      await mapBounded(await olds(), AT_ONCE, async (name) => {
        const bundled = await bundle(join(root, 'functions', `${name}.ts`), entryPoint(directory, name));
        await removeOthers(join(directory, name), bundled.files);
        await writeWhole(factsFile(directory, name), JSON.stringify({ ...bundled, inputs }));
      });
    });
  }
  const bundles = names.map(async (name) => {
    const { loaded, bytes } = await readBuilt(directory, name);
    const file = entryPoint(directory, name);
    return { name, file, loaded: loaded.map((path) => join(root, path)), bytes };
  });
  return { directory, bundles: await Promise.all(bundles) };
}

function entryPoint(directory: string, name: FunctionName): string {
  return join(directory, name, 'index.mjs');
}

/** The parts of the code that every start of a function loads. */
export async function readParts({ directory }: Bundles, name: FunctionName): Promise<Parts> {
  return (await readBuilt(directory, name)).parts;
}

interface Facts extends Bundled {
  /** The digest of its inputs. */
  readonly inputs: string;
}

/** Undefined if the function was never built. */
async function readFacts(directory: string, name: FunctionName): Promise<Facts | undefined> {
  const text = await readFile(factsFile(directory, name), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function readBuilt(directory: string, name: FunctionName): Promise<Facts> {
  const facts = await readFacts(directory, name);
  if (facts === undefined) throw new Error(`${name} is not bundled`);
  return facts;
}

/** The file is next to the function's directory, because all of that directory is deployed. */
function factsFile(directory: string, name: FunctionName): string {
  return join(directory, `${name}.bundle.json`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledFile, functionEnvironment } from '../function-process.ts';

/** A program of a user, as a single file. */
export interface Bundled {
  readonly file: string;
  /** Lines of the source with code. */
  readonly lines: number;
}

const folder = join(import.meta.dirname, 'programs');

/** Bundles a program for Node. */
export async function bundleProgram(name: string): Promise<Bundled> {
  const entry = join(folder, `${name}.ts`);
  const file = bundledFile(`objects/${name}`);
  // Some packages call `require` within their own functions.
  const banner =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: banner },
    logLevel: 'error',
  });
  const lines = (await readFile(entry, 'utf8'))
    .split('\n')
    .filter((line) => /^(?!\s*(\/\*|\*|\/\/)).*\S/.test(line));
  return { file, lines: lines.length };
}

/** The bytes of a package's entry in a bundle, compressed. */
export async function bundleBytes(entry: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

export interface Used {
  /** CPU time of the whole process, in ms. */
  readonly cpu: number;
  /** The most memory that the process had, in MiB. */
  readonly mib: number;
  readonly printed: readonly string[];
}

/** Runs a program in a process of its own. `printed` is called for each line. */
export async function runProgram(
  { file }: Bundled,
  given: readonly string[],
  environment: Readonly<Record<string, string>>,
  printed: (line: string) => void = () => {},
): Promise<Used> {
  const usage = join(folder, 'usage.mjs');
  const child = spawn(process.execPath, ['--import', usage, file, ...given], {
    env: { ...functionEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const lines: string[] = [];
  const [, out, , used] = child.stdio;
  if (out === null || !used || !('read' in used)) throw new Error('the program has no output');
  createInterface({ input: out }).on('line', (line) => {
    lines.push(line);
    printed(line);
  });
  const [[code], told] = await Promise.all([once(child, 'close'), text(used)]);
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${lines.join('; ')}`);
  return { ...(JSON.parse(told) as Pick<Used, 'cpu' | 'mib'>), printed: lines };
}

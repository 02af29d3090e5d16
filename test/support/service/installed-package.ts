import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../infra/bundle/index.ts';
import { takeLock } from '../../../infra/file-lock/index.ts';
import { eventually } from '../eventually.ts';
import type { Example } from '../examples.ts';
import { type Run, run } from './run-cli.ts';

/** A package of this repository, in a project that has nothing else: as somebody has it who installed it. */
export interface InstalledPackage {
  /** The project's folder; the package is in its `node_modules`. */
  readonly project: string;
  /** The files in the package, as `npm pack` lists them. */
  readonly files: readonly string[];
  readonly unpackedBytes: number;
  /** Installs what npm's registry has beside it. */
  install(...packages: string[]): Promise<void>;
  /**
   * Type-checks programs as strictly as TypeScript can, the package's own declarations among them, and resolves
   * to the same programs in JavaScript. Rejects with what the compiler says.
   */
  compile(examples: readonly Example[], compiler?: string): Promise<Program[]>;
  remove(): Promise<void>;
}

export interface Program extends Example {
  /** The JavaScript, to be run by Node. */
  readonly file: string;
}

const STRICT = {
  strict: true,
  target: 'ES2023',
  module: 'NodeNext',
  lib: ['ES2023', 'DOM'],
  types: [],
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

const OUR_COMPILER = join(root, 'node_modules/typescript/bin/tsc');

/**
 * Builds and packs the package in a folder (`lib/selectors`) and installs it, without the network. Its `peers` are those
 * of this repository.
 */
export async function installPackage(
  folder: string,
  peers: readonly string[] = [],
): Promise<InstalledPackage> {
  const project = await mkdtemp(join(tmpdir(), 'winnow-package-'));
  const succeed = async (command: string, parameters: readonly string[], cwd = project) => {
    const { code, out, errors } = await run(command, parameters, { cwd });
    if (code !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${out}${errors}`);
    return out;
  };
  const npm = (cwd: string, ...parameters: string[]) => succeed('npm', parameters, cwd);
  const packed = await alone(folder, () =>
    npm(join(root, folder), 'pack', '--json', '--silent', '--pack-destination', project),
  );
  const { filename, files, unpackedSize } = readPacked(packed);
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = async (...parameters: string[]) => {
    await npm(project, 'install', '--no-audit', '--no-fund', ...parameters);
  };
  await install('--offline', ...(peers.length > 0 ? ['--legacy-peer-deps'] : []), join(project, filename));
  for (const peer of peers) {
    await symlink(join(root, 'node_modules', peer), join(project, 'node_modules', peer));
  }
  return {
    project,
    files,
    unpackedBytes: unpackedSize,
    install,
    compile: async (examples, compiler = OUR_COMPILER) => {
      const programs = examples.map((one, index) => ({ ...one, file: join(project, `example-${index}.js`) }));
      for (const { file, code } of programs) await writeFile(file.replace(/js$/, 'ts'), code);
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
      await succeed(process.execPath, [compiler]);
      return programs;
    },
    remove: () => rm(project, { recursive: true }),
  };
}

/** Runs a program with a Node, by default the one that runs this. */
export function runProgram({ file }: Program, node = process.execPath): Promise<Run> {
  return run(node, [file]);
}

/** Runs while no other test file packs this folder: a build first deletes the `dist` of the build before. */
async function alone<Result>(folder: string, pack: () => Promise<Result>): Promise<Result> {
  const file = join(tmpdir(), `winnow-pack-${folder.replaceAll('/', '-')}.lock`);
  const lock = await eventually(`no other process packs ${folder}`, () => takeLock(file));
  try {
    return await pack();
  } finally {
    lock.release();
  }
}

interface Packed {
  readonly filename: string;
  readonly files: readonly string[];
  readonly unpackedSize: number;
}

/** What `npm pack --json` prints: a list up to npm 11, an object by name after it. */
function readPacked(printed: string): Packed {
  const packages = Object.values(JSON.parse(printed.slice(printed.search(/^[[{]/m))));
  const [one] = packages as { filename: string; unpackedSize: number; files: { path: string }[] }[];
  if (one === undefined || packages.length > 1) throw new Error(`npm pack printed ${printed}`);
  return { ...one, files: one.files.map(({ path }) => path) };
}

import { readFileSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from './execute.ts';

const MODULE = join(import.meta.dirname, 'go');

/** The version of a module that `go/go.mod` asks for: `v4.3.1`. */
export function moduleVersion(path: string): string {
  const [, version] = readFileSync(join(MODULE, 'go.mod'), 'utf8').split(`\t${path} `);
  if (version === undefined) throw new Error(`go.mod does not ask for ${path}`);
  return version.split('\n', 1)[0]?.split(' ', 1)[0] ?? '';
}

/** Builds a program of `go/`, or one of a module that it asks for, into a file. */
export async function buildGo(what: string, file: string): Promise<void> {
  await execute('go', ['build', '-ldflags=-s -w', '-o', file, what], { directory: MODULE });
}

/** Downloads a module: `github.com/fluxcd/source-controller@v1.9.0`. @returns its folder, which is read-only */
export async function downloadModule(module: string, folder: string): Promise<string> {
  const answer = await execute('go', ['mod', 'download', '-json', module], { directory: folder });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/**
 * Builds a main package of a module as it is.
 *
 * @returns the module's folder, which is read-only
 */
export async function buildPackage(
  module: string,
  what: string,
  { folder, program }: Target,
): Promise<string> {
  const source = await downloadModule(module, folder);
  await execute('go', ['build', '-C', source, '-ldflags=-s -w', '-o', program, what]);
  return source;
}

interface Target {
  readonly folder: string;
  /** The file of the program. */
  readonly program: string;
}

/**
 * Builds the main package in a module's root, with an edited go.mod.
 *
 * @returns the module's folder
 */
export async function buildEdited(
  module: string,
  edit: (goMod: string) => string,
  { folder, program }: Target,
): Promise<string> {
  const source = await downloadModule(module, folder);
  const file = join(folder, 'edited.mod');
  await writeFile(file, edit(await readFile(join(source, 'go.mod'), 'utf8')));
  const sums = join(folder, 'edited.sum');
  await copyFile(join(source, 'go.sum'), sums);
  await chmod(sums, 0o644);
  const options = ['-mod=mod', `-modfile=${file}`, '-ldflags=-s -w', '-o', program];
  await execute('go', ['build', '-C', source, ...options, '.']);
  return source;
}

/**
 * Builds a program that uses packages of a module, with the module's own go.mod, in a copy of the module.
 *
 * @param main the main package's only file
 * @returns the path of the copy
 */
export async function buildInModule(
  module: string,
  main: string,
  { folder, program }: Target,
): Promise<string> {
  const copy = await copyModule(module, folder);
  await mkdir(join(copy, 'cmd/winnow'), { recursive: true });
  await copyFile(main, join(copy, 'cmd/winnow/main.go'));
  await buildCopy(copy, './cmd/winnow', program);
  return copy;
}

/** Downloads a module. @returns the path of a copy whose folders are writable */
export async function copyModule(module: string, folder: string): Promise<string> {
  const copy = join(folder, 'module');
  await rm(copy, { recursive: true, force: true });
  await cp(await downloadModule(module, folder), copy, { recursive: true });
  await chmod(copy, 0o755);
  for (const entry of await readdir(copy, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  return copy;
}

/** Edits a file of a copied module. */
export async function editFile(file: string, edit: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await rm(file);
  await writeFile(file, edit(text));
}

/** Builds a main package of a copied module. */
export async function buildCopy(copy: string, what: string, program: string): Promise<void> {
  await execute('go', ['build', '-C', copy, '-ldflags=-s -w', '-o', program, what]);
}

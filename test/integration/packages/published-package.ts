import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import type { InstalledPackage } from '../../support/service/installed-package.ts';

export interface PublishedPackage {
  /** The folder of the package in the repository. */
  readonly folder: string;
  readonly name: string;
  readonly mostBytes: number;
  /** The minimum number of modules. */
  readonly leastModules: number;
  readonly installed: () => InstalledPackage;
  /** Other folders of the repository that the package contains. */
  readonly carries?: readonly string[];
}

/** Tests that hold for every packed and installed package of Winnow that has no dependencies. */
export function isPublishedWhole({
  folder,
  name,
  mostBytes,
  leastModules,
  installed,
  carries = [],
}: PublishedPackage): void {
  it('the package holds only code and types of every module, the page and the licence', async () => {
    const modules =
      carries.length === 0 ? await modulesOf(folder) : await modulesBeside([folder, ...carries]);
    expect(modules.length).toBeGreaterThan(leastModules);
    const built = modules.flatMap((module) => [`dist/${module}.js`, `dist/${module}.d.ts`]);
    const others = ['LICENSE', 'README.md', 'package.json'];
    expect(installed().files.toSorted()).toEqual([...others, ...built].sort());
    expect(installed().unpackedBytes).toBeLessThan(mostBytes);
  });

  it('the package installs no other package', () => {
    const lock = JSON.parse(readFileSync(join(installed().project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', `node_modules/${name}`]);
  });

  it('the package has the licence of the repository', () => {
    const licence = readFileSync(join(installed().project, 'node_modules', name, 'LICENSE'), 'utf8');
    expect(licence).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });
}

async function modulesOf(folder: string): Promise<string[]> {
  const modules: string[] = [];
  const files = glob('**/*.ts', { cwd: join(root, folder), exclude: ['dist'] });
  for await (const file of files) modules.push(file.slice(0, -'.ts'.length));
  return modules;
}

async function modulesBeside(folders: readonly string[]): Promise<string[]> {
  const named = folders.map(async (folder) =>
    (await modulesOf(folder)).map((module) => `${basename(folder)}/${module}`),
  );
  return (await Promise.all(named)).flat();
}

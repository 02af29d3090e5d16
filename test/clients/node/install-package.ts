import { execute } from '../execute.ts';

/** Installs a package of npm into a folder, without the scripts of its dependencies. */
export async function installPackage(folder: string, name: string): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  await execute('npm', ['install', ...options, name]);
}

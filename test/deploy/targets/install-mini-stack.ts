import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../infra/bundle/files.ts';
import { findPython } from './find-python.ts';

const run = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/**
 * Installs MiniStack into a virtual environment of its own below `.winnow/`, where it stays for the next time.
 *
 * @returns the environment's Python.
 */
export async function installMiniStack(): Promise<string> {
  const requirements = await readFile(REQUIREMENTS);
  const environment = join(root, '.winnow', `ministack-${digest(requirements)}`);
  const [python, stamp] = [join(environment, 'bin', 'python'), join(environment, 'installed')];
  if ((await readFile(stamp).catch(() => undefined)) !== undefined) return python;
  await rm(environment, { recursive: true, force: true });
  await install(environment, python);
  await writeFile(stamp, '');
  return python;
}

async function install(environment: string, python: string): Promise<void> {
  await run(await findPython(), ['-m', 'venv', environment]);
  const options = ['--quiet', '--no-input', '--disable-pip-version-check'];
  await run(python, ['-m', 'pip', 'install', ...options, '--requirement', REQUIREMENTS]);
}

function digest(text: Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

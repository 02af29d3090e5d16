import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../infra/bundle/index.ts';
import { findPython, type Wanted } from './find-python.ts';

const run = promisify(execFile);

export interface PythonProgram extends Wanted {
  /** A file that pins it and all that it needs. */
  readonly requirements: string;
}

/**
 * Installs a program into a virtual environment of its own below `.winnow/`, where it stays for the next time.
 *
 * @returns the environment's Python.
 */
export async function installPython(program: PythonProgram): Promise<string> {
  const pinned = await readFile(program.requirements);
  const environment = join(root, '.winnow', `${program.by.toLowerCase()}-${digest(pinned)}`);
  const [python, stamp] = [join(environment, 'bin', 'python'), join(environment, 'installed')];
  if ((await readFile(stamp).catch(() => undefined)) !== undefined) return python;
  await rm(environment, { recursive: true, force: true });
  await run(await findPython(program), ['-m', 'venv', environment]);
  const options = ['--quiet', '--no-input', '--disable-pip-version-check'];
  await run(python, ['-m', 'pip', 'install', ...options, '--requirement', program.requirements]);
  await writeFile(stamp, '');
  return python;
}

function digest(text: Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

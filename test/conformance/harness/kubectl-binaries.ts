import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';

export interface KubectlBinary {
  /** Absolute, because a terminal has another directory and another PATH. */
  readonly path: string;
  /** `1.33`. */
  readonly version: string;
  readonly minor: number;
}

const NEEDED =
  'These tests run kubectl. Name one in the environment variable KUBECTL, or several with ":" between them, ' +
  'or have kubectl on the PATH.';

/**
 * Returns the kubectl binaries that KUBECTL names, or else the one on the PATH; the newest first.
 *
 * @throws if there is none, or one cannot be run
 */
export function findKubectls(
  named = process.env.KUBECTL ?? '',
): readonly [KubectlBinary, ...KubectlBinary[]] {
  const paths = named.split(delimiter).filter((path) => path !== '');
  const found = (paths.length === 0 ? ['kubectl'] : paths).map(inspect);
  const [newest, ...others] = found.sort((one, other) => other.minor - one.minor);
  if (newest === undefined) throw new Error(NEEDED);
  return [newest, ...others];
}

function inspect(named: string): KubectlBinary {
  const path = named.includes('/') ? resolve(named) : findOnPath(named);
  const told = readVersion(path);
  // Some vendors' builds say `32+`.
  const minor = Number.parseInt(told.minor, 10);
  return { path, version: `${told.major}.${minor}`, minor };
}

function findOnPath(name: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => resolve(folder, name)).find(isProgram);
  if (found === undefined) throw new Error(`${NEEDED}\n"${name}" is not on the PATH`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readVersion(path: string): { readonly major: string; readonly minor: string } {
  try {
    const told = execFileSync(path, ['version', '--client', '-o', 'json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return JSON.parse(told.toString()).clientVersion;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${NEEDED}\n"${path}" does not tell its version: ${why}`, { cause: error });
  }
}

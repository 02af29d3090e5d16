import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';

export interface KubectlBinary {
  readonly path: string;
  /** `1.33`. */
  readonly version: string;
  readonly minor: number;
}

const NEEDED =
  'These tests run kubectl. Name one in the environment variable KUBECTL, or several with ":" between them, ' +
  'or have kubectl on the PATH.';

/**
 * The kubectl binaries that KUBECTL names, else the one on the PATH; the newest first.
 *
 * @throws when there is none, or one cannot be run.
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

function inspect(path: string): KubectlBinary {
  const { major, minor } = readVersion(path);
  return { path, version: `${major}.${minor}`, minor: Number.parseInt(minor, 10) };
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

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Prints the minor version and where it is, and fails where a virtual environment could not be made. */
const PROBE =
  'import sys, venv, ensurepip; assert sys.version_info[0] == 3; print(sys.version_info[1], sys.executable)';

/** The newest of Python 3 that is looked for by its name. */
const NEWEST = 14;

export interface Wanted {
  /** Who needs it, for the complaint. */
  readonly by: string;
  /** The minor version of Python 3 that does at the least. */
  readonly oldest: number;
  /** By default what PYTHON names. */
  readonly named?: string | undefined;
}

/** The Python that is named, else the first good one on the PATH. Rejects, saying what is needed. */
export async function findPython({ by, oldest, named = process.env.PYTHON }: Wanted): Promise<string> {
  const candidates = named === undefined ? ['python3', ...versioned(oldest), 'python'] : [named];
  const complaints: string[] = [];
  for (const candidate of candidates) {
    try {
      const { stdout } = await run(candidate, ['-c', PROBE], { env: environmentOf(candidate) });
      const [minor, executable = candidate] = stdout.trim().split(' ');
      if (Number(minor) >= oldest) return executable;
      complaints.push(`${candidate} is 3.${minor}`);
    } catch (error) {
      complaints.push(`${candidate}: ${lastLine(error)}`);
    }
  }
  const needed =
    `${by} needs Python 3.${oldest} or later with venv (Debian and Ubuntu: apt install python3-venv). ` +
    'Name one in PYTHON, or have python3 on the PATH.';
  throw new Error([needed, ...complaints].join('\n  '));
}

function versioned(oldest: number): string[] {
  return Array.from({ length: NEWEST - oldest + 1 }, (_, above) => `python3.${oldest + above}`);
}

/** pyenv has a `python3.13` on the PATH for each version that it knows, which runs only where that is chosen. */
function environmentOf(candidate: string): NodeJS.ProcessEnv {
  const [, version] = /^python(3\.\d+)$/.exec(candidate) ?? [];
  return version === undefined ? process.env : { PYENV_VERSION: version, ...process.env };
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

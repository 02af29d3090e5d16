import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const OLDEST = 10;

/** Prints the minor version, and fails where a virtual environment could not be made. */
const PROBE = 'import sys, venv, ensurepip; assert sys.version_info[0] == 3; print(sys.version_info[1])';

const NEEDED =
  `MiniStack needs Python 3.${OLDEST} or later with venv (Debian and Ubuntu: apt install python3-venv). ` +
  'Name one in PYTHON, or have python3 on the PATH.';

/** The Python that PYTHON names, else the first good one on the PATH. Rejects, saying what is needed. */
export async function findPython(named = process.env.PYTHON): Promise<string> {
  const candidates =
    named === undefined ? ['python3', 'python3.13', 'python3.12', 'python3.11', 'python'] : [named];
  const complaints: string[] = [];
  for (const candidate of candidates) {
    try {
      const { stdout } = await run(candidate, ['-c', PROBE]);
      if (Number(stdout) >= OLDEST) return candidate;
      complaints.push(`${candidate} is 3.${stdout.trim()}`);
    } catch (error) {
      complaints.push(`${candidate}: ${lastLine(error)}`);
    }
  }
  throw new Error([NEEDED, ...complaints].join('\n  '));
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}

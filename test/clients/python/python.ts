import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { execute } from '../execute.ts';
import { attemptProgram } from '../program.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** A package of PyPI, in a virtual environment of its own with what `requirements.txt` asks for. */
function packageClient(name: string, called: string, program: string): Client {
  return {
    name,
    title: `${called} ${versionOf(name)}`,
    install: async (folder) => {
      const environment = join(folder, 'environment');
      await execute('python3', ['-m', 'venv', environment]);
      await execute(join(environment, 'bin/pip'), ['install', '--quiet', '--requirement', REQUIREMENTS]);
      return attemptProgram([join(environment, 'bin/python'), program], import.meta.dirname);
    },
  };
}

function versionOf(name: string): string {
  const [, version] = readFileSync(REQUIREMENTS, 'utf8').split(`${name}==`);
  if (version === undefined) throw new Error(`requirements.txt does not ask for ${name}`);
  return version.split('\n', 1)[0] ?? '';
}

export const kubernetes = packageClient('kubernetes', 'kubernetes (Python)', 'kubernetes_client.py');
export const kopf = packageClient('kopf', 'kopf (Python)', 'kopf_operator.py');

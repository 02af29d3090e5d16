import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Schema } from '../../../lib/api/schemas/index.ts';
import type { JsonObject } from '../../../lib/store/index.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here('../../../dist/conformance/schemas-oracle');
const MOST_OUTPUT = 2 ** 30;

export interface Question {
  readonly schema: Schema;
  readonly values: readonly JsonObject[];
}

export interface Answer {
  /** What keeps the schema from being structural; then nothing is judged by it. */
  readonly structural: readonly string[];
  readonly judged: readonly {
    readonly value: JsonObject;
    readonly unknown: readonly string[];
    readonly errors: readonly string[];
  }[];
}

/**
 * Builds the program that answers with Kubernetes' own Go packages.
 * @throws where there is no Go, saying so
 */
export function buildOracle(): void {
  try {
    execFileSync('go', ['build', '-o', PROGRAM, '.'], { cwd: here('go'), stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error('this test compares with Kubernetes’ Go packages: install Go (https://go.dev/dl)');
    }
    throw error;
  }
}

export function askOracle(questions: readonly Question[]): Answer[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const output = execFileSync(PROGRAM, { input, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

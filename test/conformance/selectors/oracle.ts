import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case } from './cases.ts';
import type { NodeAnswer } from './node-answer.ts';
import type { NodeCase } from './node-cases.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here('../../../dist/conformance/selectors-oracle');
const MOST_OUTPUT = 2 ** 30;

/** What a selector's implementation says of a case. */
export interface Answer {
  readonly refused: boolean;
  /** The message of a refusal. */
  readonly error: string;
  readonly text: string;
  readonly empty: boolean;
  readonly requirements: readonly { key: string; operator: string; values: readonly string[] }[] | null;
  readonly matches: readonly boolean[] | null;
  /** Type and text of each, sorted. */
  readonly fieldErrors: readonly string[] | null;
  /** The messages of each rule for names. */
  readonly nameErrors: readonly (readonly string[] | null)[] | null;
}

/**
 * Builds the program that answers with Kubernetes' own Go package.
 * @throws where there is no Go, saying so
 */
export function buildOracle(): void {
  try {
    execFileSync('go', ['build', '-o', PROGRAM, '.'], { cwd: here('go'), stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error('this test compares with Kubernetes’ Go package: install Go (https://go.dev/dl)');
    }
    throw error;
  }
}

export function askOracle(cases: readonly Case[]): Answer[];
export function askOracle(cases: readonly NodeCase[]): NodeAnswer[];
export function askOracle(cases: readonly (Case | NodeCase)[]): unknown[] {
  const input = cases.map((asked) => `${JSON.stringify(asked)}\n`).join('');
  const output = execFileSync(PROGRAM, { input, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CUSTOM_SCHEMA } from './custom-type.ts';
import type { Answer } from './our-answer.ts';
import type { Story } from './stories.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = here('../../../dist/conformance/apply-oracle');
const MOST_OUTPUT = 2 ** 30;

/**
 * Builds the program that answers with Kubernetes' own Go packages.
 * @throws where there is no Go, saying so
 */
export function buildOracle(): void {
  try {
    execFileSync('go', ['mod', 'download', 'k8s.io/client-go'], { cwd: here('go'), stdio: 'pipe' });
    execFileSync('go', ['build', '-o', PROGRAM, '.'], { cwd: here('go'), stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error('this test compares with Kubernetes’ Go packages: install Go (https://go.dev/dl)');
    }
    throw error;
  }
}

/** What Kubernetes makes of each story: an answer a step. */
export function askOracle(stories: readonly Story[]): Answer[][] {
  const input = stories.map((story) => `${JSON.stringify(story)}\n`).join('');
  const output = execFileSync(PROGRAM, [CUSTOM_SCHEMA, here('go')], {
    input,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

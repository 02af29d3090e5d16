import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../infra/bundle/index.ts';

const MOST_OUTPUT = 2 ** 30;

/** A program that answers with Kubernetes' own Go packages: one line of JSON for each line of JSON. */
export class GoOracle {
  readonly #module: string;
  readonly #program: string;

  /** @param name the folder in `test/conformance` whose `go` is the program's module */
  constructor(name: string) {
    this.#module = join(root, 'test/conformance', name, 'go');
    this.#program = join(root, 'dist/conformance', `${name}-oracle`);
  }

  /**
   * Downloads the modules `downloads`, and builds the program.
   * @throws if Go is not installed, with a message that says so
   */
  build(...downloads: readonly string[]): void {
    if (downloads.length > 0) this.#go('mod', 'download', ...downloads);
    this.#go('build', '-o', this.#program, '.');
  }

  /** Builds the program with another go.mod than its own. */
  buildWith(modfile: string): void {
    this.#go('build', '-modfile', modfile, '-o', this.#program, '.');
  }

  ask(questions: readonly unknown[], ...args: readonly string[]): unknown[] {
    const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
    const options = { input, cwd: this.#module, encoding: 'utf8', maxBuffer: MOST_OUTPUT } as const;
    const output = execFileSync(this.#program, args, options);
    return output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  #go(...args: readonly string[]): void {
    try {
      execFileSync('go', args, { cwd: this.#module, stdio: 'pipe' });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        throw new Error('this test compares with Kubernetes’ Go packages: install Go (https://go.dev/dl)');
      }
      throw error;
    }
  }
}

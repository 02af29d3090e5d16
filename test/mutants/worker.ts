import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answer, Ask } from './messages.ts';

/** What a worker that hangs or dies says of the mutant that was on. */
export const HUNG: Answer = { by: 'no end', met: [], asked: 0, cpu: 0 };
const DIED: Answer = { by: 'the process dies', met: [], asked: 0, cpu: 0 };

interface WorkerOptions {
  /** In this folder. */
  readonly file: string;
  readonly execArgv: readonly string[];
  /** Asks after which it is started afresh: what tests leave behind adds up. */
  readonly lasts: number;
}

/** A child process that is asked one thing at a time, and started again when it hangs or dies. */
export class Worker<Piece> {
  readonly #options: WorkerOptions;
  #child: ChildProcess | undefined;
  #asked = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** @param limit in ms: far more than it takes on a busy machine */
  async ask(ask: Ask<Piece>, limit: number): Promise<Answer> {
    this.#asked += 1;
    if (this.#asked > this.#options.lasts) this.end();
    this.#child ??= await this.#start();
    const child = this.#child;
    const over = new AbortController();
    const { signal } = over;
    const answers = once(child, 'message', { signal }).then(([answer]) => answer as Answer);
    const dies = once(child, 'exit', { signal }).then(() => DIED);
    const hangs = new Promise<Answer>((resolve) => {
      const timer = setTimeout(() => resolve(HUNG), limit);
      signal.addEventListener('abort', () => clearTimeout(timer));
    });
    child.send(ask);
    const answer = await Promise.race([answers, dies, hangs]);
    over.abort();
    await Promise.allSettled([answers, dies]);
    if (answer === HUNG || answer === DIED) this.end();
    return answer;
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    this.#asked = 0;
  }

  async #start(): Promise<ChildProcess> {
    const { file, execArgv } = this.#options;
    const child = fork(join(import.meta.dirname, file), {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    return child;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { eventually } from '../../support/eventually.ts';

export interface TerminalOptions {
  /** Where the relative paths of the lines begin. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Kills a command that hangs, so that its test says which. */
const PATIENCE = 45_000;

/** A user at a shell: every line is what one would type there, pipes and quotes included. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #left = new Set<Running>();

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** What the command printed, without its last line break. Rejects if it failed, with what it complained of. */
  async run(line: string): Promise<string> {
    const { code, output, complaint } = await this.#execute(line);
    if (code !== 0) throw new Error(`$ ${line}\nexit ${code}\n${complaint}\n${output}`);
    return output;
  }

  /** Like {@link run}, line by line. */
  async lines(line: string): Promise<readonly string[]> {
    const output = await this.run(line);
    return output === '' ? [] : output.split('\n').map((one) => one.trimEnd());
  }

  /** A table's lines, each as its cells; columns are apart by three blanks or more. */
  async table(line: string): Promise<readonly (readonly string[])[]> {
    return (await this.lines(line)).map(cellsOf);
  }

  /** What a command that has to fail complained of. */
  async refused(line: string): Promise<string> {
    const { code, output, complaint } = await this.#execute(line);
    if (code === 0) throw new Error(`$ ${line}\nwas not refused\n${output}`);
    return complaint;
  }

  /** What the command printed to stdout and stderr, whether or not it failed. */
  async either(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const { code, output, complaint } = await this.#execute(line);
    return { code, output: `${output}\n${complaint}`.trim() };
  }

  /** Starts a command that goes on, such as a watch. */
  start(line: string): Running {
    const running = new Running(line, this.#spawn(line));
    this.#left.add(running);
    return running;
  }

  /** Ends what was started and goes on. */
  close(): void {
    for (const running of this.#left) running.end();
  }

  #spawn(line: string): ChildProcess {
    const { directory: cwd, environment } = this.#options;
    // A group of its own, so that a pipe ends as a whole.
    return spawn('/bin/sh', ['-c', line], {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }

  async #execute(line: string) {
    const running = new Running(line, this.#spawn(line));
    const hung = setTimeout(() => running.end(), PATIENCE);
    const code = await running.ended;
    clearTimeout(hung);
    return { code, output: running.output.join('\n'), complaint: running.complaints.join('\n') };
  }
}

/** A command and what it has printed so far. */
export class Running {
  readonly output: string[] = [];
  readonly complaints: string[] = [];
  /** Its exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
  readonly #line: string;
  readonly #child: ChildProcess;

  constructor(line: string, child: ChildProcess) {
    this.#line = line;
    this.#child = child;
    collect(child.stdout, this.output);
    collect(child.stderr, this.complaints);
    this.ended = new Promise((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
  }

  /** Waits until it has printed as many lines, and gives them as cells. */
  async table(lines: number): Promise<readonly (readonly string[])[]> {
    await this.until((output) => output.length >= lines);
    return this.output.map(cellsOf);
  }

  async until(holds: (output: readonly string[]) => boolean): Promise<void> {
    await eventually(`$ ${this.#line}`, () => holds(this.output)).catch((error: Error) => {
      throw new Error([error.message, ...this.output, ...this.complaints].join('\n'));
    });
  }

  end(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }
}

function cellsOf(line: string): readonly string[] {
  return line.trim().split(/ {3,}/);
}

function collect(stream: NodeJS.ReadableStream | null, into: string[]): void {
  if (stream !== null) createInterface(stream).on('line', (line) => into.push(line));
}

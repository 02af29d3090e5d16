import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { eventually } from '../../support/eventually.ts';

export interface TerminalOptions {
  /** The folder for relative paths in the lines. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The time in ms after which a command that hangs is killed, so that its test names it. */
const PATIENCE = 45_000;

/** A user at a shell: every line is what a user would type there, with pipes and quotes. */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #left = new Set<Running>();

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Runs a command, and returns its output without the last line break. Rejects with the error output if it failed. */
  async run(line: string): Promise<string> {
    const { code, output, complaint } = await this.#execute(line);
    if (code !== 0) throw new Error(`$ ${line}\nexit ${code}\n${complaint}\n${output}`);
    return output;
  }

  /** Like {@link run}, but returns lines. */
  async lines(line: string): Promise<readonly string[]> {
    const output = await this.run(line);
    return output === '' ? [] : output.split('\n').map((one) => one.trimEnd());
  }

  /** Returns a table's lines, each as its cells. At least three blanks separate columns. */
  async table(line: string): Promise<readonly (readonly string[])[]> {
    return (await this.lines(line)).map(cellsOf);
  }

  /** Runs a command that must fail, and returns its error output. */
  async refused(line: string): Promise<string> {
    const { code, output, complaint } = await this.#execute(line);
    if (code === 0) throw new Error(`$ ${line}\nwas not refused\n${output}`);
    return complaint;
  }

  /** Returns the output of a command on stdout and stderr, whether it failed or not. */
  async either(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const { code, output, complaint } = await this.#execute(line);
    return { code, output: `${output}\n${complaint}`.trim() };
  }

  /** Starts a command that keeps running, such as a watch. */
  start(line: string): Running {
    const running = new Running(line, this.#spawn(line));
    this.#left.add(running);
    return running;
  }

  /** Ends the commands that still run. */
  close(): void {
    for (const running of this.#left) running.end();
  }

  #spawn(line: string): ChildProcess {
    const { directory: cwd, environment } = this.#options;
    // A process group of its own, so that a pipe ends as a whole.
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

/** A command, with its output so far. */
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

  /** Waits until it has printed this many lines, and returns them as cells. */
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

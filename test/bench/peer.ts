import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Built, Churned, Command, Evaluated, Found, Placed, Prepared, Ran } from './peers/protocol.ts';

/** How to start a peer, or why it cannot run here. */
export type PeerKind =
  | { readonly name: string; readonly command: readonly [string, ...string[]] }
  | { readonly name: string; readonly missing: string };

/** A peer ended, or could not do what it was asked: out of memory, for one. */
export class PeerError extends Error {}

/** A running peer: a child process that is asked one thing at a time. */
export class Peer {
  readonly name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  #complaints = '';

  constructor(name: string, [program, ...given]: readonly [string, ...string[]]) {
    this.name = name;
    this.#process = spawn(program, given, { stdio: 'pipe' });
    this.#process.stderr.on('data', (text) => {
      this.#complaints = `${this.#complaints}${text}`.slice(-2_000);
    });
    this.#process.on('error', (error) => {
      this.#complaints += error.message;
    });
    this.#process.stdin.on('error', () => {});
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  build(file: string): Promise<Built> {
    return this.#ask({ do: 'build', file });
  }

  events(file: string): Promise<{ readonly events: number }> {
    return this.#ask({ do: 'events', file });
  }

  warm(milliseconds: number): Promise<{ readonly entryPoint?: string }> {
    return this.#ask({ do: 'warm', milliseconds });
  }

  run(milliseconds: number, events?: number): Promise<Ran> {
    return this.#ask({ do: 'run', milliseconds, ...(events !== undefined && { events }) });
  }

  found(events: number): Promise<Found> {
    return this.#ask({ do: 'found', events });
  }

  churn(ids: readonly number[]): Promise<Churned> {
    return this.#ask({ do: 'churn', ids });
  }

  pairs(file: string): Promise<{ readonly questions: number }> {
    return this.#ask({ do: 'pairs', file });
  }

  grid(file: string, by: 'list' | 'dispatch'): Promise<{ readonly questions: number }> {
    return this.#ask({ do: 'grid', file, by });
  }

  prepare(milliseconds: number): Promise<Prepared> {
    return this.#ask({ do: 'prepare', milliseconds });
  }

  evaluate(milliseconds: number): Promise<Evaluated> {
    return this.#ask({ do: 'evaluate', milliseconds });
  }

  place(file: string, milliseconds: number): Promise<Placed> {
    return this.#ask({ do: 'place', file, milliseconds });
  }

  stop(): void {
    this.#process.kill();
  }

  /** @throws PeerError when the peer ends instead of answering */
  async #ask<Answer>(command: Command): Promise<Answer> {
    this.#process.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new PeerError(`${this.name} ended at "${command.do}": ${this.#lastComplaint()}`);
    return JSON.parse(value);
  }

  #lastComplaint(): string {
    const lines = this.#complaints.trim().split('\n');
    return lines.find((line) => /error|panic|exception|memory/i.test(line)) ?? lines.at(-1) ?? '';
  }
}

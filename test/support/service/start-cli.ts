import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { HttpClient } from './http-client.ts';
import { LAUNCHER } from './run-cli.ts';

export interface StartedServer {
  readonly child: ChildProcess;
  readonly http: HttpClient;
  /** Where its queues answer. */
  readonly sqs: string;
  /** The link of its console; undefined without the option `--console-port`. */
  readonly link: string | undefined;
}

/** Processes of `winnow start`, with their folders in a directory that goes with them. */
export class Servers {
  readonly #directory: string;
  readonly #running: ChildProcess[] = [];

  readonly #nodeFlags: readonly string[];

  private constructor(directory: string, nodeFlags: readonly string[]) {
    this.#directory = directory;
    this.#nodeFlags = nodeFlags;
  }

  /** @param nodeFlags flags of the Node that runs each server */
  static async open(...nodeFlags: readonly string[]): Promise<Servers> {
    return new Servers(await mkdtemp(join(tmpdir(), 'winnow-test-')), nodeFlags);
  }

  within(name: string): string {
    return join(this.#directory, name);
  }

  /** `winnow start` on a folder, once it runs. */
  async start(data: string, ...more: readonly string[]): Promise<StartedServer> {
    const withConsole = more.includes('--console-port');
    // The default port of the console may be taken by another test.
    const own = ['--port', '0', '--data', data, ...(withConsole ? [] : ['--no-console'])];
    const options = [...own, '--kubeconfig', this.within('kubeconfig'), ...more];
    const child = spawn(process.execPath, [...this.#nodeFlags, LAUNCHER, 'start', ...options], {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.push(child);
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
    const url = await eventually('it starts', () => /runs at (https?:\S+)/.exec(said)?.[1], 540_000);
    const sqs = await eventually('it says where', () => /SQS is at (\S+)/.exec(said)?.[1], 540_000);
    const link = withConsole ? await eventually('it has a console', () => linkIn(said), 540_000) : undefined;
    return { child, http: new HttpClient(url), sqs, link };
  }

  /** Ends the processes without waiting, for a process that exits. */
  kill(): void {
    this.#kill();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }

  #kill(): void {
    for (const child of this.#running) child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.#kill();
    await rm(this.#directory, { recursive: true, maxRetries: 3 });
  }
}

/** The link of a console in the output of a command. */
export function linkIn(said: string): string | undefined {
  return /http:\S+#code=\S+/.exec(said)?.[0];
}

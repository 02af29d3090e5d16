import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../infra/bundle/files.ts';
import { endGroup } from '../engines/end-group.ts';
import { ownNodeFirst } from './own-node-first.ts';
import type { Target } from './targets/target.ts';

/** `Stack | 12/89 | 3:01:39 PM | CREATE_COMPLETE | AWS::SQS::Queue | …`; the total is not always known. */
const EVENT = /\| +(\d+)(?:\/(\d+))? \| [^|]+\| (\w+) +\| (\S+) +\|/;

/** Of a failed command's output, how many lines are shown. */
const SHOWN = 40;

/** A resource as CloudFormation reported it. */
export interface StackEvent {
  readonly status: string;
  readonly type: string;
}

export interface CdkOptions {
  readonly target: Target;
  readonly stackName: string;
  /** Of the app; the repository's unless said otherwise. */
  readonly cwd?: string;
  /** Where templates and outputs go. */
  readonly directory: string;
  /** Is told, often, how far a command is. */
  progress(text: string): void;
}

/** The real CDK CLI, run as a user would, on one stack. */
export class Cdk {
  readonly #options: CdkOptions;
  #running: ChildProcess | undefined;

  constructor(options: CdkOptions) {
    this.#options = options;
  }

  /** `cdk bootstrap`; does nothing where that was done already. */
  async bootstrap(): Promise<void> {
    await this.#run(['bootstrap', this.#options.target.environment]);
  }

  /** `cdk deploy` with more context, `name=value` each. Gives what changed. */
  deploy(context: readonly string[] = []): Promise<readonly StackEvent[]> {
    const outputs = ['--outputs-file', this.#outputsFile, '--progress', 'events'];
    return this.#run(['deploy', '--require-approval', 'never', ...outputs, ...contextOptions(context)]);
  }

  /** What the stack told when it was deployed, by output. */
  async outputs(): Promise<Readonly<Record<string, string>>> {
    return JSON.parse(await readFile(this.#outputsFile, 'utf8'))[this.#options.stackName];
  }

  /** `cdk destroy` with more context, `name=value` each; does nothing where there is no stack. */
  async destroy(context: readonly string[] = []): Promise<void> {
    await this.#run(['destroy', '--force', ...contextOptions(context)]);
  }

  /** Ends a command that is under way. What CloudFormation has begun goes on without it. */
  async abandon(): Promise<void> {
    if (this.#running !== undefined) await endGroup(this.#running);
  }

  get #outputsFile(): string {
    return join(this.#options.directory, 'outputs.json');
  }

  async #run(command: readonly string[]): Promise<readonly StackEvent[]> {
    const { target, stackName, directory, progress, cwd = root } = this.#options;
    const context = [`stackName=${stackName}`, ...target.context];
    const quiet = ['--ci', '--no-color', '--no-notices', '--no-version-reporting'];
    const output = ['--output', join(directory, 'cdk.out')];
    const child = spawn(
      process.execPath,
      [CDK, ...command, ...contextOptions(context), ...quiet, ...output],
      {
        cwd,
        env: { ...process.env, PATH: ownNodeFirst(), CDK_DISABLE_CLI_TELEMETRY: 'true', ...target.variables },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    this.#running = child;
    const lines: string[] = [];
    const events: StackEvent[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        const [, done, all, status = '', type = ''] = EVENT.exec(line) ?? [];
        if (done === undefined) return;
        events.push({ status, type });
        progress(all === undefined ? `${done} events` : `${done} of ${all}`);
      });
    }
    const code = await new Promise((resolve, reject) => {
      child.once('close', resolve).once('error', reject);
    });
    this.#running = undefined;
    if (code !== 0) {
      throw new Error([`cdk ${command[0]} failed (${code})`, ...lines.slice(-SHOWN)].join('\n'));
    }
    return events;
  }
}

const CDK = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');

function contextOptions(context: readonly string[]): string[] {
  return context.flatMap((one) => ['--context', one]);
}

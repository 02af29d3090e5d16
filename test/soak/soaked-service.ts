import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Database, startDatabase } from '../../infra/local/data/database.ts';
import { type Queues, startQueues } from '../../infra/local/queues.ts';
import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../support/store/faulty-dynamodb.ts';

const BIN = join(import.meta.dirname, '../../bin/winnow.js');
const REGION = 'us-east-1';

/** How often each thing goes wrong between the functions and the database, while anything does. */
const FAULTS: readonly (readonly [odds: number, fault: WireFault])[] = [
  [0.01, { error: 'ProvisionedThroughputExceededException' }],
  [0.005, 'request lost'],
  [0.005, 'answer lost'],
  [0.001, 'silence'],
];

/** `winnow start` as a process of its own, on a database and queues that outlive it, behind a line that fails. */
export class SoakedService {
  readonly database: Database;
  readonly queues: Queues;
  /** Of the HTTP API, while it runs. */
  url = '';
  starts = 0;
  faults = 0;
  /** Whether anything goes wrong on the line. */
  isFaulty = false;
  readonly #faulty: FaultyDynamo;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  static async open(): Promise<SoakedService> {
    const database = await startDatabase({});
    const queues = await startQueues({ region: REGION });
    const faulty = await startFaultyDynamo(database.endpoint);
    const folder = await mkdtemp(join(tmpdir(), 'winnow-soak-'));
    return new SoakedService({ database, queues, faulty, folder });
  }

  private constructor(parts: { database: Database; queues: Queues; faulty: FaultyDynamo; folder: string }) {
    this.database = parts.database;
    this.queues = parts.queues;
    this.#faulty = parts.faulty;
    this.#folder = parts.folder;
    this.#faulty.fault = () => this.#fault();
  }

  async start(): Promise<void> {
    const parameters = ['start', '--port', '0', '--kubeconfig', join(this.#folder, 'kubeconfig')];
    const endpoints = {
      AWS_ENDPOINT_URL_DYNAMODB: this.#faulty.endpoint,
      AWS_ENDPOINT_URL_SQS: this.queues.endpoint,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
    };
    const child = spawn(process.execPath, [BIN, ...parameters], {
      env: { ...process.env, ...endpoints, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.starts += 1;
    this.url = await urlSaidBy(child.stdout);
    // The service found the database, and does not take it for its own.
    this.database.tune();
  }

  /** @throws {Error} it runs no longer, and nobody killed it. */
  assertRunning(): void {
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    if (this.url === '' || (exitCode === null && signalCode === null)) return;
    throw new Error(`winnow ended by itself: ${signalCode ?? `exit code ${exitCode}`}`);
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.url = '';
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** What its process has. */
  async measure(): Promise<{ readonly memory: number; readonly descriptors: number }> {
    const process = `/proc/${this.#child?.pid}`;
    const status = await readFile(`${process}/status`, 'utf8').catch(() => '');
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
    const descriptors = await readdir(`${process}/fd`).catch(() => []);
    return { memory: kilobytes / 1024, descriptors: descriptors.length };
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#faulty.stop();
    await this.queues.stop();
    await this.database.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #fault(): WireFault {
    if (!this.isFaulty) return undefined;
    let chance = Math.random();
    for (const [odds, fault] of FAULTS) {
      chance -= odds;
      if (chance >= 0) continue;
      this.faults += 1;
      return fault;
    }
    return undefined;
  }
}

/** Where it says that it runs. What it says is read to its end: who writes to nobody ends. */
function urlSaidBy(output: Readable): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      const found = /runs at (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    output.once('end', () => reject(new Error(`winnow did not start: ${said}`)));
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, startDatabase } from '../../../infra/local/data/database.ts';
import { type Queues, startQueues } from '../../../infra/local/queues.ts';
import type { Violation } from '../../simulation/checks/index.ts';
import { FaultyLine } from './faulty-line.ts';
import { databaseUnder, type Held, heldBy } from './processes.ts';
import { SmallDisk } from './small-disk.ts';

const BIN = join(import.meta.dirname, '../../../bin/winnow.js');
const CLOCK = new URL('./clock-shift.ts', import.meta.url).href;
const PODS = '/api/v1/namespaces/default/pods?limit=1';
const REGION = 'us-east-1';
const DISK = 3_000;
/** Seconds in which the service answers again after its database died, or ends; and in which it is tried to start it. */
const RECOVERS = 60;
const ATTEMPTS = 5;

/**
 * How `winnow start` has its table: `data` in a database of its own, which it starts with `--data`; `line` in one that
 * the soak starts, at the other end of a line that fails. Both are of one folder.
 */
export type Way = 'data' | 'line';

export type Victim = 'server' | 'database' | 'both';

/** What each process of the service holds. */
export interface Measured {
  readonly server: Held;
  readonly database: Held;
}

/** `winnow start` as a process of its own, on a folder and queues that outlive it. */
export class SoakedService {
  readonly queues: Queues;
  /** The file system that the folder is on; undefined where this user may mount none. */
  readonly disk: SmallDisk | undefined;
  /** What the processes say. */
  readonly log: string;
  readonly line = new FaultyLine();
  /** What no service may do: end, or go on without its database. */
  readonly violations: Violation[] = [];
  /** Of the HTTP API, while it runs. */
  url = '';
  kills = 0;
  readonly #folder: string;
  readonly #output: number;
  #way: Way = 'line';
  #child: ChildProcess | undefined;
  #database: Database | undefined;
  /** Whether its end would be the soak's doing. */
  #mayEnd = false;

  static async open(): Promise<SoakedService> {
    const queues = await startQueues({ region: REGION });
    const folder = mkdtempSync(join(tmpdir(), 'winnow-soak-'));
    const disk = await SmallDisk.mount(join(folder, 'disk'), DISK);
    return new SoakedService(queues, folder, disk);
  }

  private constructor(queues: Queues, folder: string, disk: SmallDisk | undefined) {
    this.queues = queues;
    this.disk = disk;
    this.#folder = folder;
    this.log = `${folder}.log`;
    this.#output = openSync(this.log, 'a');
  }

  /** Ends what runs, and starts it in this way. */
  async restart(way: Way): Promise<void> {
    await this.#end();
    this.#way = way;
    await this.start();
  }

  /** Where it does not start it is tried again, and that is a violation. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#launch();
        return;
      } catch (error) {
        this.#violated('starts', `winnow did not start: ${error instanceof Error ? error.message : error}`);
        await this.#end();
        if (attempt === ATTEMPTS) throw error;
        await sleep(1_000);
      }
    }
  }

  /** Kills with SIGKILL, as a crash would end it, and resolves when the API answers again. */
  async kill(victim: Victim): Promise<void> {
    this.kills += 1;
    this.#mayEnd = true;
    const database = await databaseUnder(this.#child?.pid);
    if (victim !== 'server') {
      if (database === undefined) throw new Error('there is no database to kill');
      process.kill(database, 'SIGKILL');
    }
    if (victim === 'database') return this.#recover();
    await this.killServer();
    await this.start();
  }

  /** Ends the server alone, without a new one. */
  async killServer(): Promise<void> {
    const child = this.#child;
    this.#mayEnd = true;
    this.url = '';
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Whether the API answers within some seconds. */
  async answers(): Promise<boolean> {
    if (this.url === '') return false;
    const asked = fetch(`${this.url}${PODS}`, { signal: AbortSignal.timeout(5_000) });
    return asked.then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** From now on its clock is so many ms ahead of the machine's. A new process is not. */
  shiftClock(shift: number): void {
    this.#child?.send({ shift });
  }

  async measure(): Promise<Measured> {
    const started = this.#way === 'data' ? this.#child?.pid : process.pid;
    const [server, database] = [await heldBy(this.#child?.pid), await heldBy(await databaseUnder(started))];
    return { server, database };
  }

  async close(): Promise<void> {
    await this.#end();
    await this.queues.stop();
    await this.disk?.unmount();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** It may answer again by itself, or end with its database; to go on without is a violation. */
  async #recover(): Promise<void> {
    for (const end = performance.now() + RECOVERS * 1_000; performance.now() < end; await sleep(500)) {
      if (this.#hasEnded()) return this.start();
      if (await this.answers()) {
        this.#mayEnd = false;
        return;
      }
    }
    this.#violated(
      'recovers',
      `winnow neither ended nor answered for ${RECOVERS} s after its database was killed`,
    );
    await this.killServer();
    await this.start();
  }

  async #launch(): Promise<void> {
    const data = join(this.disk?.path ?? this.#folder, 'data');
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const parameters = ['start', '--port', '0', '--no-console', '--kubeconfig', kubeconfig];
    if (this.#way === 'line') {
      this.#database ??= await startDatabase({ dataDirectory: data });
      await this.line.open(this.#database.endpoint);
    }
    const own = this.#way === 'data' ? ['--data', data] : [];
    const endpoint = this.#way === 'line' ? { AWS_ENDPOINT_URL_DYNAMODB: this.line.endpoint } : {};
    const child = spawn(process.execPath, ['--import', CLOCK, BIN, ...parameters, ...own], {
      env: {
        ...process.env,
        ...endpoint,
        AWS_ENDPOINT_URL_SQS: this.queues.endpoint,
        POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? 'SILENT',
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', this.#output, 'ipc'],
    });
    this.#child = child;
    this.#mayEnd = true;
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code}`));
    this.url = await urlSaidBy(child.stdout);
    this.#mayEnd = false;
    // The service found the database, and does not take it for its own.
    this.#database?.tune();
  }

  #ended(child: ChildProcess, how: string): void {
    if (child !== this.#child || this.#mayEnd) return;
    this.#violated('runs', `winnow ended by itself: ${how}`);
    this.url = '';
    this.start().catch((error) => this.#violated('starts', String(error)));
  }

  #hasEnded(): boolean {
    const { exitCode = null, signalCode = null } = this.#child ?? {};
    if (exitCode === null && signalCode === null) return false;
    this.url = '';
    return true;
  }

  async #end(): Promise<void> {
    await this.killServer();
    await this.line.close();
    await this.#database?.stop();
    this.#database = undefined;
  }

  #violated(check: string, message: string): void {
    this.violations.push({
      check,
      message,
      evidence: [`at ${new Date().toISOString()}, log in ${this.log}`],
    });
  }
}

/** Where it says that it runs. What it says is read to its end: a process whose output nobody reads ends. */
function urlSaidBy(output: Readable | null): Promise<string> {
  if (output === null) throw new Error('winnow has no output');
  let said = '';
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
      const found = /runs at (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    output.once('end', () => reject(new Error(`it ended, and said: ${said}`)));
  });
}

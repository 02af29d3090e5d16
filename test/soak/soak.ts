import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '../simulation/checks/index.ts';
import type { Sample } from './draw-curves.ts';
import { SoakClient } from './load/soak-client.ts';
import { SoakLoad } from './load/soak-load.ts';
import { sqsAt } from './load/soak-subscriber.ts';
import { type Amounts, PHASES, type PhaseContext, type PhaseReport } from './phases/index.ts';
import { SoakedService } from './service/soaked-service.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Names of those that are run. */
  readonly phases: readonly string[];
  readonly amounts: Amounts;
  say(text: string): void;
}

export interface SoakRow extends PhaseReport {
  readonly name: string;
  readonly minutes: number;
}

export interface Soaked {
  readonly rows: readonly SoakRow[];
  readonly samples: readonly Sample[];
  readonly violations: readonly Violation[];
}

/** Seconds between two samples, and between two lines that say where it stands. */
const SAMPLE = 5;
const LINE = 60;
/** Seconds until all is quiet, at least. */
const RESTS = 40;
/** Seconds that a phase has at least, however long those before it took. */
const SHORTEST = 40;
/** Violations of a phase that are told at once; all are in the end. */
const SHOWN = 10;

/**
 * A mixed load against a local service to which one thing after the other happens, and everything in that which breaks
 * a guarantee of docs/guarantees.md.
 */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const service = await SoakedService.open();
  const sqs = sqsAt(service.queues.endpoint);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave(service));
  try {
    await service.restart('data');
    const client = new SoakClient(service);
    const load = await SoakLoad.begin(client, service.queues);
    const run: Run = { ...options, service, client, load, sqs, samples: [], stands: { phase: '', text: '' } };
    const over = new AbortController();
    const measuring = keepMeasuring(run, over.signal);
    const rows = await runPhases(run);
    over.abort();
    await Promise.all([load.end(), measuring]);
    rows.push(await judge(run));
    return { rows, samples: run.samples, violations: rows.flatMap(({ violations }) => violations) };
  } finally {
    sqs.destroy();
    await service.close();
  }
}

/** A run that is interrupted leaves no process and no mounted disk. */
function leave(service: SoakedService): void {
  const exit = () => process.exit(1);
  service.close().then(exit, exit);
}

/** A run under way. */
interface Run extends SoakOptions, Pick<PhaseContext, 'service' | 'client' | 'load' | 'sqs'> {
  readonly samples: Sample[];
  /** Which phase it is in, and how far that is, in words. */
  stands: { readonly phase: string; readonly text: string };
}

/** A phase that cannot go on is a violation, and the next one begins. */
async function runPhases(run: Run): Promise<SoakRow[]> {
  const { service, client, phases, minutes, say } = run;
  const chosen = PHASES.filter(({ name }) => phases.includes(name));
  const end = client.now + minutes * 60_000;
  const rows: SoakRow[] = [];
  for (const [at, phase] of chosen.entries()) {
    const { name } = phase;
    const shares = chosen.slice(at).reduce((sum, { share }) => sum + share, 0);
    const progress = (text: string) => {
      run.stands = { phase: name, text };
    };
    progress('begins');
    const began = client.now;
    // Its share of what is left: one that took longer leaves less to those after it, one that was done soon more.
    const left = Math.max(0, end - began) / 1_000;
    const seconds = shares === 0 ? 0 : Math.max(SHORTEST, (left * phase.share) / shares);
    const report = await phase.run({ ...run, seconds, progress }).catch(cutShort);
    const violations = [...report.violations, ...service.violations.splice(0)];
    rows.push({ ...report, name, violations, minutes: (client.now - began) / 60_000 });
    say(`${name} is over: ${report.done}. ${report.checked}. ${violations.length} violations.`);
    for (const { message, evidence } of violations.slice(0, SHOWN)) {
      say(`  ${message} (${evidence.join('; ')})`);
    }
  }
  return rows;
}

function cutShort(error: unknown): PhaseReport {
  const message = `it was cut short: ${error instanceof Error ? error.message : error}`;
  return { done: message, checked: 'nothing', violations: [{ check: 'runs', message, evidence: [] }] };
}

/** The row of the load, which went on through all phases. */
async function judge({ service, client, load }: Run): Promise<SoakRow> {
  const { violations, counts } = await load.judge(RESTS);
  const done = Object.entries({ ...counts, kills: service.kills });
  return {
    name: 'all the while',
    minutes: client.now / 60_000,
    done: done.map(([what, count]) => `${count} ${what}`).join(', '),
    checked: 'all guarantees of this page for requests, lists, watches and Subscriptions',
    violations: [...violations, ...service.violations],
  };
}

async function keepMeasuring(run: Run, signal: AbortSignal): Promise<void> {
  for (let second = SAMPLE; !signal.aborted; second += SAMPLE) {
    await sleep(SAMPLE * 1_000);
    const taken = await sample(run);
    run.samples.push(taken);
    if (second % LINE === 0) run.say(lineOf(run, taken));
  }
}

function lineOf({ load, stands }: Run, { at, server, database, slowest }: Sample): string {
  const memory = `server ${Math.round(server.memory)} MiB, database ${Math.round(database.memory)} MiB`;
  return `${Math.round(at / 60)} min, ${stands.phase}: ${stands.text}; ${load.operations.length} requests, ${memory}, p99 ${Math.round(slowest)} ms`;
}

async function sample({ service, client, stands }: Run): Promise<Sample> {
  const latencies = client.latencies.sort((left, right) => left - right);
  client.latencies = [];
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  const measured = await service.measure();
  const soak = process.memoryUsage.rss() / 2 ** 20;
  return {
    at: client.now / 1000,
    phase: stands.phase,
    ...measured,
    soak,
    median: at(0.5),
    slowest: at(0.99),
  };
}

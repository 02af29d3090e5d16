import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { REQUEST_BAR, RULES_BAR } from '../bars.ts';
import type { ColdWorld } from '../cold/cold-world.ts';
import { bundledFile, functionEnvironment } from '../function-process.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import { isWrite, REQUEST_CASES, type RequestCase } from './request-case.ts';
import type { RequestRound } from './request-process.ts';

/** Rounds, and calls of each case in one. */
const FULL = { rounds: 21, calls: 40 };
const QUICK = { rounds: 3, calls: 20 };
/** Of two versions. */
const TURNS = 3;

/** As the functions are deployed: each request is logged and measured. */
const DEPLOYED = { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_METRICS_DISABLED: 'false' };

const ROOT = join(import.meta.dirname, '../../..');

/**
 * `npm run bench -- request`: what each verb's handler costs beside the calls of the SDK that it makes. With another
 * version's folder it is asked in turns with that one, each on servers of its own.
 */
export async function benchRequest(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const effort = options.quick ? QUICK : FULL;
  const { beside } = options;
  if (beside === undefined) {
    reportCases(await measure(ROOT, effort, report), report);
    await benchRules(effort, report);
    return;
  }
  const [ours, theirs]: [RequestRound[], RequestRound[]] = [[], []];
  const turn = { ...effort, rounds: Math.ceil(effort.rounds / TURNS) };
  for (let turns = 0; turns < TURNS; turns += 1) {
    theirs.push(...(await measure(resolve(beside), turn, report)));
    ours.push(...(await measure(ROOT, turn, report)));
  }
  reportCases(ours, report);
  for (const { name } of REQUEST_CASES) {
    reportBeside({ verb: name, ours: roundsOf(ours, name), theirs: roundsOf(theirs, name) }, report);
  }
}

/** Measures writes in turns with and without 100 admission policies, each time on servers of their own. */
async function benchRules(effort: typeof FULL, report: Report): Promise<void> {
  const [plain, ruled]: [RequestRound[], RequestRound[]] = [[], []];
  const turn = { ...effort, rounds: Math.ceil(effort.rounds / TURNS) };
  for (let turns = 0; turns < TURNS; turns += 1) {
    plain.push(...(await measure(ROOT, { ...turn, writes: 'plain' }, report)));
    ruled.push(...(await measure(ROOT, { ...turn, writes: 'ruled' }, report)));
  }
  for (const { name } of REQUEST_CASES.filter(isWrite)) {
    reportRules({ verb: name, plain: roundsOf(plain, name), ruled: roundsOf(ruled, name) }, report);
  }
}

interface Effort {
  readonly rounds: number;
  readonly calls: number;
  /** Which writes alone are measured; undefined for all cases. */
  readonly writes?: 'plain' | 'ruled';
}

/** Asks the handlers of the version in a folder, in a process of its own. */
async function measure(folder: string, effort: Effort, report: Report): Promise<RequestRound[]> {
  const world: ColdWorld = await (
    await import(join(folder, 'test/bench/cold/cold-world.ts'))
  ).openColdWorld();
  try {
    const program = bundledFile('request-process');
    await bundle(join(folder, 'test/bench/request/request-process.ts'), program);
    const handlers = ['read', 'write'].map((name) => join(world.bundles.directory, name, 'index.mjs'));
    const { writes = '' } = effort;
    const first = REQUEST_CASES.find((one) => writes === '' || isWrite(one));
    const child = fork(program, [...handlers, `${effort.rounds}`, `${effort.calls}`, writes], {
      env: { ...functionEnvironment(), ...DEPLOYED },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const rounds: RequestRound[] = [];
    child.on('message', (message) => {
      const measured = message as RequestRound;
      if (measured.name === first?.name) report.progress(`request: a ${writes} round of ${effort.rounds}`);
      rounds.push(measured);
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the process that asks the handlers ended with ${code}`);
    return rounds;
  } finally {
    await world.stop();
  }
}

const roundsOf = (rounds: readonly RequestRound[], verb: string) =>
  rounds.filter(({ name }) => name === verb);

function reportCases(rounds: readonly RequestRound[], report: Report): void {
  for (const one of REQUEST_CASES) reportCase(one, roundsOf(rounds, one.name), report);
}

interface Versions {
  readonly verb: string;
  readonly ours: readonly RequestRound[];
  readonly theirs: readonly RequestRound[];
}

/** How many times as long, and as much CPU time, the other version takes. */
function reportBeside({ verb, ours, theirs }: Versions, report: Report): void {
  const [cpu, theirCpu] = [cost(ours, 'ours', 'cpu'), cost(theirs, 'ours', 'cpu')];
  const [p50, theirP50] = [cost(ours, 'ours', 'time'), cost(theirs, 'ours', 'time')];
  report.add({
    bench: 'request, beside',
    verb,
    cpu: round(cpu),
    theirCpu: round(theirCpu),
    cpuRatio: round(theirCpu / cpu),
    p50: round(p50),
    theirP50: round(theirP50),
    p50Ratio: round(theirP50 / p50),
  });
}

interface Rules {
  readonly verb: string;
  readonly plain: readonly RequestRound[];
  readonly ruled: readonly RequestRound[];
}

/** How many times the CPU time of a write it takes under 100 admission policies, of which three match. */
function reportRules({ verb, plain, ruled }: Rules, report: Report): void {
  const [cpu, ruledCpu] = [cost(plain, 'ours', 'cpu'), cost(ruled, 'ours', 'cpu')];
  const ratio = round(ruledCpu / cpu);
  report.add({
    bench: 'request, 100 policies',
    verb,
    dynamodb: plain.at(-1)?.dynamodb ?? 0,
    ruledDynamodb: ruled.at(-1)?.dynamodb ?? 0,
    cpu: round(cpu),
    ruledCpu: round(ruledCpu),
    ratio,
    bar: RULES_BAR,
    reached: ratio <= RULES_BAR,
  });
}

function reportCase({ name, barred }: RequestCase, rounds: readonly RequestRound[], report: Report): void {
  const last = rounds.at(-1);
  if (last === undefined) throw new Error(`nothing was measured of ${name}`);
  const [cpu, bareCpu] = [cost(rounds, 'ours', 'cpu'), cost(rounds, 'bare', 'cpu')];
  const [p50, bareP50] = [cost(rounds, 'ours', 'time'), cost(rounds, 'bare', 'time')];
  const ratio = round(cpu / bareCpu);
  report.add({
    bench: 'request',
    verb: name,
    dynamodb: last.dynamodb,
    sqs: last.sqs,
    steps: last.steps,
    cpu: round(cpu),
    bareCpu: round(bareCpu),
    ratio,
    ...(barred && { bar: REQUEST_BAR, reached: ratio <= REQUEST_BAR }),
    p50: round(p50),
    bareP50: round(bareP50),
    slower: round(p50 / bareP50),
  });
}

/** Milliseconds of one call: of CPU time the median of the rounds' means, for collecting garbage is part of it. */
function cost(rounds: readonly RequestRound[], who: 'ours' | 'bare', what: 'cpu' | 'time'): number {
  if (what === 'time') return median(rounds.flatMap((one) => one[who].time));
  const means = rounds.map((one) => one[who].cpu.reduce((sum, cpu) => sum + cpu, 0) / one[who].cpu.length);
  return median(means);
}

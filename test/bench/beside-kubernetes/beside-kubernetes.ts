import { setTimeout as sleep } from 'node:timers/promises';
import { buildServers, serverVersion } from '../../conformance/kube-apiserver/build-servers.ts';
import { BESIDE_BARS } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { type Line, percentile, type Report, round } from '../report.ts';
import { load, stagesOf } from './collection.ts';
import { countsIn, lineOf } from './comparison.ts';
import { expectSameList, explanationOf, listsOf } from './lists.ts';
import { type Side, startKubernetes, startWinnow } from './sides.ts';
import { type Pace, takeTurns, untilQuiet } from './turns.ts';
import { verbsOf } from './verbs.ts';
import { measureWatches } from './watches.ts';

const WHOLE = { pace: { rounds: 7, turn: 700, fewest: 3 }, changes: 20, watchTurns: 2 };
const QUICK = { pace: { rounds: 2, turn: 250, fewest: 2 }, changes: 5, watchTurns: 1 };
/** The time in which an idle side is measured, in ms. */
const IDLE = 5_000;
const WATCHERS = [1, 100];

interface Sides {
  readonly ours: Side;
  readonly theirs: Side;
}

interface Run extends Sides {
  readonly report: Report;
  readonly pace: Pace;
  readonly tell: (text: string) => void;
}

/**
 * `npm run bench -- beside-kubernetes`: the same requests to `winnow start` and to kube-apiserver with etcd, in turns. It
 * ends with exit code 1 where Winnow misses a bar.
 *
 * @throws {Missing} Go is not installed.
 */
export async function benchBesideKubernetes(
  options: Options,
  _inputs: Inputs,
  report: Report,
): Promise<void> {
  const stages = stagesOf(options.sizes);
  if (options.profile) {
    const { profileVerbs } = await import('./profile/profile-verbs.ts');
    return profileVerbs(options.sizes, report);
  }
  const tell = (text: string) => report.progress(`beside-kubernetes: ${text}`);
  const { pace, changes, watchTurns } = options.quick ? QUICK : WHOLE;
  const sides = await startSides(tell);
  const run = { ...sides, report, pace, tell };
  try {
    await compareIdle(run);
    for (const stage of stages) {
      tell(`creating objects ${stage.from} to ${stage.to} on both sides`);
      await Promise.all([load(sides.ours, stage), load(sides.theirs, stage)]);
      for (const side of [sides.ours, sides.theirs]) await untilQuiet(side);
      await compareLists(run, stage.to);
    }
    await compareVerbs(run, stages.at(-1)?.to ?? 0);
    for (const watchers of WATCHERS) await compareWatches(run, { watchers, changes, turns: watchTurns });
  } finally {
    await Promise.all([sides.ours.stop(), sides.theirs.stop()]);
  }
}

async function startSides(tell: (text: string) => void): Promise<Sides> {
  tell(
    `building kube-apiserver ${serverVersion()} and etcd, unless they are there: the first time takes ten minutes`,
  );
  const theirs = await startKubernetes(buildServers());
  try {
    return { theirs, ours: await startWinnow() };
  } catch (error) {
    await theirs.stop();
    throw error;
  }
}

/** Adds a row. The exit code is 1 if it misses its bar. */
function add(report: Report, line: Line): void {
  if (line.reached === false) process.exitCode = 1;
  report.add(line);
}

/** What both sides take when no client asks. */
async function compareIdle({ ours, theirs, report }: Run): Promise<void> {
  const [before, theirsBefore] = [ours.cpu(), theirs.cpu()];
  await sleep(IDLE);
  const aSecond = (used: number) => round((used / IDLE) * 1_000);
  report.add({
    bench: 'beside-kubernetes, idle',
    'Winnow CPU a second': aSecond(ours.cpu() - before),
    'kube CPU a second': aSecond(theirs.cpu() - theirsBefore),
  });
}

async function compareLists(run: Run, size: number): Promise<void> {
  const { ours, theirs, pace, report, tell } = run;
  for (const list of listsOf(size)) {
    const [own, other] = await expectSameList(list, [ours, theirs]);
    tell(`${list.name}: answers of ${own} and ${other} bytes`);
    const pair = await takeTurns(list, run, pace);
    const explanation = await explanationOf(list, ours);
    tell(explanation);
    add(report, lineOf({ ...pair, what: list.name, bar: list.bar, counts: countsIn(explanation) }));
  }
}

async function compareVerbs(run: Run, size: number): Promise<void> {
  for (const verb of verbsOf(size)) {
    run.tell(verb.name);
    const pair = await takeTurns(verb, run, run.pace);
    add(run.report, lineOf({ ...pair, what: verb.name, bar: verb.bar }));
  }
}

interface Watched {
  readonly watchers: number;
  /** The number of changes in a turn. */
  readonly changes: number;
  readonly turns: number;
}

async function compareWatches(run: Run, { watchers, changes, turns }: Watched): Promise<void> {
  const { ours, theirs, report, tell } = run;
  tell(`${watchers} watchers`);
  const waits: Record<Side['name'], number[]> = { Winnow: [], 'kube-apiserver': [] };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const side of [ours, theirs]) {
      waits[side.name].push(...(await measureWatches(side, { watchers, times: changes })));
    }
  }
  const [own, other] = [percentile(waits.Winnow, 0.5), percentile(waits['kube-apiserver'], 0.5)];
  add(report, {
    bench: 'beside-kubernetes, watch',
    watchers,
    'Winnow p50': round(own),
    'Winnow p99': round(percentile(waits.Winnow, 0.99)),
    'kube p50': round(other),
    'kube p99': round(percentile(waits['kube-apiserver'], 0.99)),
    ratio: round(own / other),
    bar: BESIDE_BARS.watch,
    reached: own <= BESIDE_BARS.watch,
  });
}

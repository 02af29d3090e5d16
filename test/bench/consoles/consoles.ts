import { join } from 'node:path';
import { chromiumPath, closeBrowser } from '../../console/browser.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { type Report, round } from '../report.ts';
import { CACHE } from '../toolchain.ts';
import { HASTE, Hand, PERSON } from './hand.ts';
import { headlampProgram } from './headlamp.ts';
import { HEADLAMP_VERSION } from './headlamp-build.ts';
import { k9sProgram } from './k9s.ts';
import type { OpenProgram, Program, World } from './program.ts';
import { isAhead, Results } from './results.ts';
import { ONLY_OURS, TASKS, type Task } from './tasks.ts';
import { winnowConsole } from './winnow-console.ts';
import { startWorld } from './world.ts';

const ROUNDS = 5;
const PODS = 10_000;
const QUICK = { rounds: 1, pods: 1_000 };

/**
 * `npm run bench -- consoles`: what a user does, and how long the user waits, in the console, in k9s and in Headlamp. It ends
 * with exit code 1 where the console is behind.
 */
export async function benchConsoles(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  chromiumPath();
  const { rounds, pods } = options.quick ? QUICK : { rounds: ROUNDS, pods: PODS };
  const tell = (text: string) => report.progress(`consoles: ${text}`);
  const peers = options.alone ? [] : await buildPeers(options, report, tell);
  tell(`creating ${pods} pods`);
  const world = await startWorld(pods);
  const results = new Map([winnowConsole, ...peers].map((program) => [program, new Results()]));
  try {
    for (let turn = 1; turn <= rounds; turn += 1) {
      for (const [program, own] of results) {
        tell(`round ${turn} of ${rounds}, ${program.name}`);
        await measure({ program, world, results: own, tell });
      }
    }
  } finally {
    await closeBrowser();
    await world.stop();
  }
  addLines(results, report);
}

async function buildPeers(
  { headlamp }: Options,
  report: Report,
  tell: (text: string) => void,
): Promise<readonly Program[]> {
  const builds: Readonly<Record<string, () => Promise<Program>>> = {
    k9s: () => k9sProgram(join(CACHE, 'k9s')),
    Headlamp: () =>
      headlampProgram({ folder: join(CACHE, `headlamp-${HEADLAMP_VERSION}`), clone: headlamp, tell }),
  };
  const built: Program[] = [];
  for (const [name, build] of Object.entries(builds)) {
    tell(`building ${name}, unless it is there: the first time takes some minutes`);
    try {
      built.push(await build());
    } catch (error) {
      report.missing('consoles', name, error instanceof Error ? error.message : String(error));
    }
  }
  return built;
}

interface Measured {
  readonly program: Program;
  readonly world: World;
  readonly results: Results;
  readonly tell: (text: string) => void;
}

/**
 * Does all tasks twice in a new process of a program: as fast as it can, and then, for the figures, as fast as a person. A
 * task that a peer does not do is told, and has no figure.
 */
async function measure({ program, world, results, tell }: Measured): Promise<void> {
  const failed = (error: unknown, what: string) => {
    if (program === winnowConsole) throw error;
    tell(`${program.name} did not ${what}: ${error}`);
  };
  let open: OpenProgram;
  try {
    open = await program.open(world);
  } catch (error) {
    return failed(error, 'open');
  }
  try {
    for (const pace of [HASTE, PERSON]) {
      for (const task of Object.keys(TASKS) as Task[]) {
        const hand = new Hand(pace);
        try {
          await open.tasks[task](hand);
        } catch (error) {
          failed(error, TASKS[task]);
          continue;
        }
        if (pace !== PERSON) continue;
        const taken = { steps: hand.steps, seconds: hand.waited() };
        results.add(task, taken);
        tell(`  ${TASKS[task]}: ${taken.steps} steps, ${taken.seconds.toFixed(2)} s of waiting`);
      }
    }
  } finally {
    await open.close();
  }
}

function addLines(results: ReadonlyMap<Program, Results>, report: Report): void {
  for (const task of Object.keys(TASKS) as Task[]) {
    const all = [...results].map(([{ name }, own]) => [name, own.of(task)] as const);
    const [[, ours] = [], ...theirs] = all;
    const reached = theirs.every(([, taken]) => isAhead(ours, taken));
    if (!reached) process.exitCode = 1;
    const cells = all.flatMap(([name, taken]) => [
      [`${name}, steps`, taken?.steps ?? 'not done'],
      [`${name}, s`, taken === undefined ? 'not done' : round(taken.seconds)],
    ]);
    report.add({ bench: 'consoles', task: TASKS[task], ...Object.fromEntries(cells), reached });
  }
  for (const task of ONLY_OURS) {
    report.add({ bench: 'consoles, only Winnow', task, [winnowConsole.name]: '✓', others: '–' });
  }
}

import { glob } from 'node:fs/promises';
import { SCENARIOS } from '../simulation/scenarios/index.ts';
import { Kept, stateOf } from './kept.ts';
import type { Answer, Ask, Run } from './messages.ts';
import { mutatedFiles, ROOT, sourceOf } from './targets.ts';
import type { Bench } from './trial.ts';
import type { Worker } from './worker.ts';

/** What one run of a scenario, or one test file, takes and reaches when nothing is changed. */
export interface Reach<Piece> {
  readonly piece: Piece;
  /** Ms of CPU time. */
  readonly cost: number;
  /** Ms until it answered. */
  readonly took: number;
  readonly asked: number;
  readonly met: ReadonlySet<string>;
}

/**
 * The tests of the two, and those of what is made of both in one process; what starts whole services reaches mutants in
 * processes that hold none.
 */
const TESTS = ['test/{unit,integration}/{store,watch}/**/*.test.ts', 'test/unit/server/registry/*.test.ts'];
/** Seeds of each scenario that tell what it reaches. */
const SEEDS = [1, 2];
/** Ms between two times that what is told is written. */
const SAVED_EVERY = 30_000;
/** Ms for one piece, on a machine however busy. */
const LIMIT = 300_000;

interface Told {
  /** The state of each mutated file then. */
  readonly code: Readonly<Record<string, string>>;
  readonly cost: number;
  readonly took: number;
  readonly asked: number;
  readonly met: readonly string[];
}

export interface ReachOptions {
  /** The files whose mutants are to be reached: what was told of them holds while they are the same. */
  readonly files: readonly string[];
  readonly bench: Bench;
  /** Ms of CPU time: a test file that took more when it was tried last is left out, and named. */
  readonly patience: number;
  /** Is told how far it is. */
  tell(text: string): void;
}

/** What everything reaches, each run once, but what was run already on the same code. */
export async function collectReach(
  options: ReachOptions,
): Promise<{ readonly runs: readonly Reach<Run>[]; readonly testFiles: readonly Reach<string>[] }> {
  const kept = new Kept<Told>('reach');
  const code = Object.fromEntries((await mutatedFiles()).map((file) => [file, stateOf(sourceOf(file))]));
  let saved = performance.now();
  // All of it is large: what is lost where this is stopped takes less than to write it after each.
  const keep = (key: string, state: string, told: Told) => {
    kept.set(key, state, told);
    if (performance.now() - saved < SAVED_EVERY) return;
    kept.save();
    saved = performance.now();
  };
  const reachOf = async <Piece>(worker: Worker<Piece>, key: string, state: string, piece: Piece) => {
    const known = kept.get(key, state);
    const holds = known !== undefined && options.files.every((file) => known.code[file] === code[file]);
    const told = holds ? known : { ...(await measure(worker, piece, key)), code };
    if (!holds) keep(key, state, told);
    options.tell(`what is reached: ${key}`);
    return { ...told, piece, met: new Set(told.met) };
  };
  const runs: Reach<Run>[] = [];
  for (const { name } of SCENARIOS) {
    for (const seed of SEEDS) {
      runs.push(await reachOf(options.bench.simulation, `${name} ${seed}`, '', { scenario: name, seed }));
    }
  }
  const testFiles: Reach<string>[] = [];
  for await (const file of glob(TESTS, { cwd: ROOT })) {
    if (file.endsWith('.long.test.ts')) continue;
    const cost = kept.last(file)?.cost ?? 0;
    if (cost > options.patience) {
      console.warn(`left out, as it takes ${cost} ms: ${file}`);
      continue;
    }
    testFiles.push(await reachOf(options.bench.tests, file, stateOf(sourceOf(file)), file));
  }
  kept.save();
  return { runs, testFiles };
}

/** What fails though nothing is changed finds nothing out: it is named, and left out. */
async function measure<Piece>(worker: Worker<Piece>, piece: Piece, key: string): Promise<Omit<Told, 'code'>> {
  const ask: Ask<Piece> = { mutant: undefined, pieces: [piece] };
  const began = performance.now();
  const { by, met, asked, cpu }: Answer = await worker.ask(ask, LIMIT);
  const took = Math.round(performance.now() - began);
  if (by !== undefined) console.warn(`left out, as it fails without a mutant: ${key}: ${by}`);
  return { cost: Math.round(cpu), took, asked, met: by === undefined ? met : [] };
}

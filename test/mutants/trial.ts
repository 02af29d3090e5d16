import type { Reach } from './coverage.ts';
import type { Run } from './messages.ts';
import type { Mutant } from './mutant.ts';
import { Worker } from './worker.ts';

/** What was found out of a mutant. `by` undefined: it survived. */
export interface Verdict {
  readonly by: string | undefined;
  /** Pieces that reach it: scenarios and test files. */
  readonly reached: number;
}

/** The processes that mutants are tried in, and are kept warm. */
export class Bench {
  readonly simulation = new Worker<Run>({
    file: 'simulation-worker.ts',
    execArgv: [...NODE, '--import', `${import.meta.dirname}/hooks.ts`],
    lasts: 20_000,
  });
  readonly tests = new Worker<string>({
    file: 'tests-worker.ts',
    execArgv: [...NODE, '--experimental-vm-modules'],
    lasts: 150,
  });

  end(): void {
    this.simulation.end();
    this.tests.end();
  }
}

export interface TrialOptions {
  readonly bench: Bench;
  readonly runs: readonly Reach<Run>[];
  readonly testFiles: readonly Reach<string>[];
  /** Runs of the simulation before the tests, and after them, in all. */
  readonly first: number;
  readonly last: number;
  /** Ms of tests in all: the cheapest first. */
  readonly patience: number;
}

const NODE = ['--stack-trace-limit=5', '--disable-warning=ExperimentalWarning'];
/** A loop that asks this much oftener than all is well is endless. */
const ENDLESS = { times: 5, more: 100_000 };
/** The same in time, for what asks nothing: so much longer, and so many ms more. */
const HANGS = { times: 10, more: 20_000 };

/** Tries to find one mutant out: first with what is cheap. */
export async function tryMutant(options: TrialOptions, { id }: Mutant): Promise<Verdict> {
  const { first, last, patience } = options;
  const { simulation, tests } = options.bench;
  const runs = options.runs.filter(({ met }) => met.has(id));
  const files = options.testFiles.filter(({ met }) => met.has(id));
  const reached = new Set(runs.map(({ piece }) => piece.scenario)).size + files.length;
  const seeds = seedsOf(runs);
  const by =
    (await tryPieces(simulation, id, seeds.slice(0, first))) ??
    (await tryPieces(tests, id, cheapest(files, patience))) ??
    (await tryPieces(simulation, id, seeds.slice(first, last)));
  return { by, reached };
}

/** As many of them as there is time for, the cheapest first. */
function cheapest(files: readonly Reach<string>[], patience: number): Reach<string>[] {
  let spent = 0;
  return [...files]
    .sort((left, right) => left.cost - right.cost)
    .filter(({ cost }) => {
      spent += cost;
      return spent <= patience;
    });
}

/** Seeds of all scenarios that reach it, in turn, without end but for a bound. */
function seedsOf(runs: readonly Reach<Run>[]): Reach<Run>[] {
  const byScenario = Map.groupBy(runs, ({ piece }) => piece.scenario);
  const scenarios = [...byScenario.values()].flatMap(([one]) => one ?? []);
  const cheapFirst = scenarios.sort((left, right) => left.cost - right.cost);
  const MOST_SEEDS = 400;
  return Array.from({ length: MOST_SEEDS }, (_, seed) => seed + 1).flatMap((seed) =>
    cheapFirst.map((one) => ({ ...one, piece: { scenario: one.piece.scenario, seed } })),
  );
}

async function tryPieces<Piece>(
  worker: Worker<Piece>,
  mutant: string,
  pieces: readonly Reach<Piece>[],
): Promise<string | undefined> {
  for (const { piece, asked, cost } of pieces) {
    const most = asked * ENDLESS.times + ENDLESS.more;
    const answer = await worker.ask({ mutant, pieces: [piece], most }, cost * HANGS.times + HANGS.more);
    if (answer.by !== undefined) return answer.by;
  }
  return undefined;
}

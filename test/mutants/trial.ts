import type { Reach } from './coverage.ts';
import type { Run } from './messages.ts';
import type { Mutant } from './mutant.ts';
import type { Attempt, Odds } from './odds.ts';
import { HUNG, Worker } from './worker.ts';

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
    // What a run leaves behind is half a megabyte.
    lasts: 4_000,
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
  readonly odds: Odds;
  /** Runs of the simulation before a mutant survives. */
  readonly seeds: number;
  /** Ms of CPU time of tests before it survives: the likeliest. */
  readonly patience: number;
}

const NODE = ['--stack-trace-limit=5', '--disable-warning=ExperimentalWarning'];
/** A loop that asks this much oftener than all is well is endless. */
const ENDLESS = { times: 5, more: 100_000 };
/** The same in time, for what asks nothing: so much longer, and so many ms more. */
const HANGS = { times: 10, more: 90_000 };

/** Tries to find one mutant out: first with what is likely to, for what it costs. */
export async function tryMutant(options: TrialOptions, mutant: Mutant): Promise<Verdict> {
  const { bench, odds, patience } = options;
  const runs = options.runs.filter(({ met }) => met.has(mutant.id));
  const files = options.testFiles.filter(({ met }) => met.has(mutant.id));
  const attempts = [
    ...files.map((one) => attemptOf(bench.tests, one, { name: one.piece, turn: 1 })),
    ...seedsOf(runs)
      .slice(0, options.seeds)
      .map((one) => attemptOf(bench.simulation, one, { name: one.piece.scenario, turn: one.piece.seed })),
  ];
  const reached = new Set(runs.map(({ piece }) => piece.scenario)).size + files.length;
  let spent = 0;
  for (const attempt of odds.order(mutant, attempts)) {
    if (attempt.isTest) spent += attempt.cost;
    if (attempt.isTest && spent > patience) continue;
    const by = await attempt.run(mutant.id);
    odds.note(mutant, attempt, by !== undefined);
    if (by !== undefined) return { by, reached };
  }
  return { by: undefined, reached };
}

/** Seeds of all scenarios that reach it, in turn, without end but for a bound. */
function seedsOf(runs: readonly Reach<Run>[]): Reach<Run>[] {
  const byScenario = Map.groupBy(runs, ({ piece }) => piece.scenario);
  const cheapFirst = [...byScenario.values()]
    .flatMap((ofOne) => [...ofOne].sort((left, right) => left.cost - right.cost).slice(0, 1))
    .sort((left, right) => left.cost - right.cost);
  const MOST_SEEDS = 400;
  return Array.from({ length: MOST_SEEDS }, (_, seed) => seed + 1).flatMap((seed) =>
    cheapFirst.map((one) => ({ ...one, piece: { scenario: one.piece.scenario, seed } })),
  );
}

interface RunnableAttempt extends Attempt {
  readonly isTest: boolean;
  run(mutant: string): Promise<string | undefined>;
}

function attemptOf<Piece>(
  worker: Worker<Piece>,
  { piece, asked, cost, took, met }: Reach<Piece>,
  named: Pick<Attempt, 'name' | 'turn'>,
): RunnableAttempt {
  const most = asked * ENDLESS.times + ENDLESS.more;
  const limit = took * HANGS.times + HANGS.more;
  return {
    ...named,
    isTest: typeof piece === 'string',
    cost,
    reaches: met.size,
    run: async (mutant) => {
      const ask = { mutant, pieces: [piece], most };
      const { by } = await worker.ask(ask, limit);
      // A machine that is busy looks the same, once.
      return by === HUNG.by ? (await worker.ask(ask, limit)).by : by;
    },
  };
}

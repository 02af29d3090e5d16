import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { collectReach } from './coverage.ts';
import { Kept, stateOf } from './kept.ts';
import type { Mutant } from './mutant.ts';
import { mutantsOf } from './mutants-of.ts';
import { Odds } from './odds.ts';
import { refusedMutants } from './refused.ts';
import { JUDGED, knownSurvivors } from './survivors/index.ts';
import { mutatedFiles, ROOT, sourceOf } from './targets.ts';
import { Bench, tryMutant, type Verdict } from './trial.ts';

/**
 * `npm run mutate`: changes each condition and each ordering of the rooms of the protocol in turn, one at a time, and
 * tries to find it out: with seeds of the simulation, with the tests that reach it, the cheapest first, and with more
 * seeds. Goes on where it was stopped. Fails if one survives that `survivors/` does not explain, or one is found out
 * that it explains.
 *
 * `--files TEXT,TEXT`: only files whose paths contain one of them; `--since REVISION`: only files changed since;
 * `--minutes N`: stops then; `--jobs N` side by side; `--survivors`: tries those again that survived; `--unexplained`:
 * those of them alone that are not listed; `--fresh`: forgets all verdicts; `--commit`: asks the type check and the lint
 * about those that survive and are not listed. How much is tried before one survives: `--seeds` runs of
 * the simulation, and `--patience` ms of CPU time of tests.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    since: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    survivors: { type: 'boolean', default: false },
    unexplained: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    commit: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '60' },
    patience: { type: 'string', default: '8000' },
  },
});

/** When progress was told last. */
let told = 0;
const ends = performance.now() + Number(values.minutes) * 60_000;
const verdicts = new Kept<Verdict>('verdicts');
const files = await wantedFiles();
const mutants = files.flatMap((file) => mutantsOf(file, sourceOf(file)).flatMap((site) => site.mutants));
const states = new Map(files.map((file) => [file, stateOf(sourceOf(file))]));
const known = knownSurvivors();
for (const { id, file } of mutants) {
  const survived = verdictOn({ id, file })?.by === undefined;
  const again = values.survivors || (values.unexplained && !known.has(id));
  if (values.fresh || (again && survived)) verdicts.delete(id);
}
// Those that are listed come last: nothing is likely to find them out, so they take longest.
const left = mutants
  .filter((mutant) => verdictOn(mutant) === undefined)
  .sort((one, other) => Number(known.has(one.id)) - Number(known.has(other.id)));
console.log(`${mutants.length} mutants in ${files.length} files, ${left.length} to try`);
if (left.length > 0) await tryAll(left);
if (values.commit) await tryCommitting();
process.exitCode = report();

function verdictOn({ id, file }: Pick<Mutant, 'id' | 'file'>): Verdict | undefined {
  return verdicts.get(id, states.get(file) ?? '');
}

async function wantedFiles(): Promise<string[]> {
  const parts = values.files?.split(',') ?? [''];
  const changed =
    values.since === undefined
      ? undefined
      : execFileSync('git', ['diff', '--name-only', values.since], { cwd: ROOT, encoding: 'utf8' }).split(
          '\n',
        );
  return (await mutatedFiles()).filter(
    (file) => parts.some((part) => file.includes(part)) && (changed?.includes(file) ?? true),
  );
}

async function tryAll(wanted: readonly Mutant[]): Promise<void> {
  const benches = Array.from({ length: Number(values.jobs) }, () => new Bench());
  const pending = wanted.values();
  let tried = 0;
  try {
    const [bench = new Bench()] = benches;
    const budget = { seeds: Number(values.seeds), patience: Number(values.patience), odds: new Odds() };
    const reach = await collectReach({ bench, files, patience: budget.patience, tell });
    const tryOn = async (own: Bench) => {
      for (const mutant of pending) {
        if (performance.now() > ends) return;
        note(mutant, await tryMutant({ bench: own, ...reach, ...budget }, mutant));
        tried += 1;
        if (tried % 10 === 0) verdicts.save();
        tell(`${tried} of ${wanted.length} tried, ${survivors().length} survive; last ${mutant.file}`);
      }
    };
    await Promise.all(benches.map(tryOn));
  } finally {
    for (const bench of benches) bench.end();
    verdicts.save();
  }
}

/** What the tests cannot see, and nobody can commit all the same. */
async function tryCommitting(): Promise<void> {
  const unexplained = survivors().filter(({ id }) => !known.has(id));
  for (const [mutant, by] of await refusedMutants(unexplained)) note(mutant, { by, reached: 0 });
  verdicts.save();
}

function note(mutant: Mutant, verdict: Verdict): void {
  verdicts.set(mutant.id, states.get(mutant.file) ?? '', verdict);
}

function survivors(): Mutant[] {
  return mutants.filter((mutant) => verdictOn(mutant)?.by === undefined && verdictOn(mutant) !== undefined);
}

function tell(text: string): void {
  if (performance.now() - told < 5_000) return;
  told = performance.now();
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

/** What became of all of them; answers the exit code. */
function report(): number {
  const of = (wanted: (verdict: Verdict | undefined) => boolean) =>
    mutants.filter((one) => wanted(verdictOn(one)));
  const untried = of((verdict) => verdict === undefined);
  const survived = survivors();
  const unexplained = survived.filter(({ id }) => !known.has(id));
  const explained = of((verdict) => verdict?.by !== undefined).filter(({ id }) => known.has(id));
  for (const mutant of unexplained) {
    const { id, file, line } = mutant;
    const reached = verdictOn(mutant)?.reached === 0 ? ' (not reached)' : '';
    console.log(`survives: ${file}:${line}${reached} ${id.slice(file.length + 1)}`);
  }
  for (const mutant of explained) {
    console.log(`explained, and yet found out: ${mutant.id}: ${verdictOn(mutant)?.by}`);
  }
  const unjudged = new Set(mutants.map(({ file }) => file)).difference(new Set(JUDGED));
  if (unjudged.size > 0) console.log(`nobody has looked at: ${[...unjudged].join(', ')}`);
  const found = mutants.length - survived.length - untried.length;
  console.log(
    `${found} found out, ${survived.length} survive (${unexplained.length} without an explanation), ${untried.length} not tried`,
  );
  return unexplained.length + explained.length > 0 ? 1 : 0;
}

import { parseArgs } from 'node:util';
import { MUTATIONS, type Mutation, type Outcome, recordSeeds, search } from './index.ts';

/**
 * `npm run simulate:mutations`: takes each mechanism out in turn and looks for a seed that shows it, afresh.
 * `--only NAME,NAME`, `--from SEED`, `--seconds` for each (default 300), `--jobs` side by side (default 2).
 * `--record`: the seeds found are those that the tests replay. Fails if a mechanism's removal is not found: then
 * the simulation is too weak, or the mechanism is not needed.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    from: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '300' },
    jobs: { type: 'string', default: '2' },
    record: { type: 'boolean', default: false },
  },
});

const names = values.only?.split(',');
const wanted = MUTATIONS.filter(({ name }) => names === undefined || names.includes(name));
const found = new Map<string, number>();
const left = wanted.values();
const searchOn = async () => {
  for (const mutation of left) {
    const outcome = await search(mutation, Number(values.from), Number(values.seconds));
    if (outcome.seed !== undefined) found.set(mutation.name, outcome.seed);
    console.log(row(mutation, outcome));
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, searchOn));

if (values.record) await recordSeeds(Object.fromEntries(found));
const missed = wanted.filter(({ name }) => !found.has(name)).map(({ name }) => name);
if (missed.length > 0) console.error(`not found: ${missed.join(', ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;

/** One line of the table: mechanism, violation found, scenario, seed, time to find it. */
function row({ name, scenario }: Mutation, { check = 'NOT FOUND', seed, seconds }: Outcome): string {
  const cells = [name.padEnd(32), check.padEnd(18), scenario.padEnd(18), `seed ${seed ?? '-'}`.padEnd(12)];
  return `${cells.join(' ')} ${seconds.toFixed(1)} s`;
}

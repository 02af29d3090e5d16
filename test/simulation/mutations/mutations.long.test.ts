import { afterAll, describe, expect, it } from '@jest/globals';
import { type Examined, examine } from '../examine.ts';
import { scenarioNamed } from '../scenarios/index.ts';
import { MUTATIONS, type Mutation, type Outcome, recordedSeeds, replay } from './index.ts';

const seeds = await recordedSeeds();
const seedOf = ({ name }: Mutation) => seeds[name] ?? 1;

const replays = new Map<string, Promise<Outcome>>();

/** Replays are processes: that of the next test runs while this one's run as it is does, or is awaited. */
function replayed(mutation: Mutation): Promise<Outcome> {
  const { name } = mutation;
  const begun = replays.get(name) ?? replay(mutation, seedOf(mutation));
  replays.set(name, begun);
  return begun;
}

type Violations = Examined['violations'];

const unmutated = new Map<string, Promise<Violations>>();

/** Many mutations share a scenario and a seed: the code as it is runs once for all of them. */
function violationsAsItIs(mutation: Mutation): Promise<Violations> {
  const seed = seedOf(mutation);
  const key = `${mutation.scenario} ${seed}`;
  const begun =
    unmutated.get(key) ??
    examine({ seed, scenario: scenarioNamed(mutation.scenario) }).then(({ violations }) => violations);
  unmutated.set(key, begun);
  return begun;
}

afterAll(() => Promise.allSettled(replays.values()));

describe('the simulation', () => {
  it.each(MUTATIONS)(
    'finds fault with a seed only where $name is taken out: $mechanism',
    async (mutation) => {
      const outcome = replayed(mutation);
      const next = MUTATIONS[MUTATIONS.indexOf(mutation) + 1];
      if (next !== undefined) replayed(next).catch(() => undefined);
      expect(await violationsAsItIs(mutation)).toEqual([]);
      expect((await outcome).check).toBeDefined();
    },
  );
});

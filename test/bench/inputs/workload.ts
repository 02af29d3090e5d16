import type { Condition } from './condition.ts';
import { evenKeys, LabelKey, plainKey } from './label-keys.ts';
import { SeededRandom, Zipf } from './random.ts';

export type Labels = Record<string, string>;
export type WorkloadName = 'A' | 'B' | 'C' | 'D';
export const WORKLOADS: readonly WorkloadName[] = ['A', 'B', 'C', 'D'];

/** What subscriptions ask for and what objects carry. */
export interface Workload {
  readonly name: WorkloadName;
  /** How many values the workload's main key, or each of its keys, has. */
  readonly cardinality: number;
  subscription(random: SeededRandom): Condition[];
  labels(random: SeededRandom): Labels;
  /** Other labels for the same object. */
  relabel(labels: Labels, random: SeededRandom): Labels;
  /** The part of the objects a subscription matches, from the distributions alone. */
  probability(conditions: readonly Condition[]): number;
}

/** As design/performance.md measured them, at 100,000 subscriptions. */
const CARDINALITY: Record<WorkloadName, number> = { A: 20, B: 5_000, C: 20, D: 170_000 };

export function createWorkload(name: WorkloadName, cardinality = CARDINALITY[name]): Workload {
  switch (name) {
    case 'A':
      return manyKeys({ name, cardinality, negativeOnly: 0 });
    case 'B':
      return hotKeys(cardinality);
    case 'C':
      return manyKeys({ name, cardinality, negativeOnly: 0.3 });
    case 'D':
      return narrow(cardinality);
    default:
      throw name satisfies never;
  }
}

/**
 * A and C: one to four requirements over 50 keys, of which an object carries ten; the first asks for a value. In
 * C a part of the selectors asks only for what objects do not carry, or only for the presence of a label.
 */
function manyKeys(options: { name: 'A' | 'C'; cardinality: number; negativeOnly: number }): Workload {
  const keys = evenKeys({ count: 50, carried: 10, values: new Zipf(options.cardinality, 0.8) });
  const labels = (random: SeededRandom) => carry(random.sample(keys, 10), random);
  return {
    ...options,
    subscription(random) {
      if (random.chance(options.negativeOnly)) {
        return random.sample(keys, 1 + random.below(3)).map((key) => condition(key, random, OPEN_OPERATORS));
      }
      const chosen = random.sample(keys, 1 + random.below(4));
      return chosen.map((key, at) => condition(key, random, at === 0 ? VALUE_OPERATORS : OPERATORS));
    },
    labels,
    relabel: (before, random) => changeOne(before, random, keys),
    probability: (conditions) => product(keys, conditions),
  };
}

/** B: `app=<one of 5,000>` and `env in (…)`, with eight labels beside them that nobody asks for. */
function hotKeys(cardinality: number): Workload {
  const app = plainKey('app', cardinality, 0.75);
  const env = plainKey('env', 5);
  const keys = [app, env, ...bystanders(8)];
  return {
    name: 'B',
    cardinality,
    subscription: (random) => [
      { key: app.name, operator: '=', values: [app.draw(random)] },
      { key: env.name, operator: 'in', values: env.drawSome(random, 1 + random.below(3)) },
    ],
    labels: (random) => carry(keys, random),
    relabel: (before, random) => changeOne(before, random, keys),
    probability: (conditions) => product(keys, conditions),
  };
}

/** D: a value that few objects carry, every other selector with an environment too. */
function narrow(cardinality: number): Workload {
  const name = plainKey('instance', cardinality);
  const env = plainKey('env', 5);
  const keys = [name, env, ...bystanders(8)];
  return {
    name: 'D',
    cardinality,
    subscription(random) {
      const exact: Condition = { key: name.name, operator: '=', values: [name.draw(random)] };
      if (random.chance(0.5)) return [exact];
      return [exact, { key: env.name, operator: 'in', values: env.drawSome(random, 3) }];
    },
    labels: (random) => carry(keys, random),
    relabel: (before, random) => changeOne(before, random, keys),
    probability: (conditions) => product(keys, conditions),
  };
}

type Operators = readonly Condition['operator'][];
const VALUE_OPERATORS: Operators = ['=', '=', 'in'];
const OPEN_OPERATORS: Operators = ['!=', 'notin', '!=', 'notin', '!', 'exists'];
const OPERATORS: Operators = [...VALUE_OPERATORS, '!=', 'notin', '!', 'exists'];

function condition(key: LabelKey, random: SeededRandom, operators: Operators): Condition {
  const operator = random.pick(operators);
  const count = operator === 'in' || operator === 'notin' ? 2 + random.below(2) : 1;
  const values = operator === 'exists' || operator === '!' ? [] : key.drawSome(random, count);
  return { key: key.name, operator, values };
}

function bystanders(count: number): LabelKey[] {
  const values = new Zipf(1_000, 0.5);
  return Array.from({ length: count }, (_, at) => new LabelKey(`note-${at}`, 1, values));
}

function carry(keys: readonly LabelKey[], random: SeededRandom): Labels {
  return Object.fromEntries(keys.map((key) => [key.name, key.draw(random)]));
}

function changeOne(before: Labels, random: SeededRandom, keys: readonly LabelKey[]): Labels {
  const name = random.pick(Object.keys(before));
  const key = keys.find((candidate) => candidate.name === name);
  return key === undefined ? before : { ...before, [name]: key.draw(random) };
}

function product(keys: readonly LabelKey[], conditions: readonly Condition[]): number {
  return conditions.reduce(
    (part, asked) => part * (keys.find((key) => key.name === asked.key)?.probability(asked) ?? 0),
    1,
  );
}

/** The part of the objects that a subscription of this workload matches on average. */
export function meanProbability(workload: Workload): number {
  const random = new SeededRandom(7);
  const trials = 20_000;
  let sum = 0;
  for (let trial = 0; trial < trials; trial++) sum += workload.probability(workload.subscription(random));
  return sum / trials;
}

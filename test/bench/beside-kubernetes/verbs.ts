import { BESIDE_BARS, type BesideBar } from '../bars.ts';
import { CHANGED_KEY, nameOf, PODS, podOf } from './collection.ts';
import type { Side } from './sides.ts';
import type { Question } from './turns.ts';

/** The values that the changed label takes in turn. */
const VALUES = 4;
/** GETs read the objects of a collection in steps of this prime number. */
const STRIDE = 7_919;
/** The numbers of clients that ask at the same time. */
const CROWDS = [1, 16];

export interface VerbQuestion extends Question {
  readonly verb: string;
  readonly bar: BesideBar;
}

/** The questions about single objects of a collection of a size. */
export function verbsOf(size: number): readonly VerbQuestion[] {
  const verbs: Readonly<Record<string, Question['ask']>> = {
    create: creating(),
    relabel: relabelling(size),
    GET: getting(size),
  };
  return Object.entries(verbs).flatMap(([verb, ask]) =>
    CROWDS.map((clients) => ({
      verb,
      name: clients === 1 ? verb : `${verb}, ${clients} clients`,
      clients,
      bar: clients === 1 ? BESIDE_BARS.oneClient : BESIDE_BARS.manyClients,
      ask,
    })),
  );
}

/** Creates pods whose labels have values that other pods have. */
export function creating(): Question['ask'] {
  const next = counter();
  return ({ client, ...side }) => {
    const index = next(side.name);
    const labels = { app: `app-${index % 20}`, tier: `t${index % 4}`, most: 'yes', [CHANGED_KEY]: 'p0' };
    return client.ask('POST', PODS, { body: podOf(`new-${index}`, labels) });
  };
}

/** Gives a label of the next pod its next value, by a merge patch. */
export function relabelling(size: number): Question['ask'] {
  const next = counter();
  return ({ client, name }) => {
    const index = next(name);
    const value = `p${(Math.floor(index / size) + 1) % VALUES}`;
    const body = { metadata: { labels: { [CHANGED_KEY]: value } } };
    return client.ask('PATCH', `${PODS}/${nameOf(index % size)}`, {
      body,
      type: 'application/merge-patch+json',
    });
  };
}

export function getting(size: number): Question['ask'] {
  const next = counter();
  return ({ client, name }) => client.ask('GET', `${PODS}/${nameOf((next(name) * STRIDE) % size)}`);
}

/** Counts from 0 for each side. */
function counter(): (side: Side['name']) => number {
  const counts = new Map<Side['name'], number>();
  return (side) => {
    const count = counts.get(side) ?? 0;
    counts.set(side, count + 1);
    return count;
  };
}

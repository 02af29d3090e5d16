import { describe, expect, it } from '@jest/globals';
import {
  everything,
  fromLabelSelector,
  type Interest,
  MatchIndex,
  type MatchState,
  nothing,
  parseFieldSelector,
  parseSelector,
  type Transition,
  Vocabulary,
} from '../../../lib/selectors/index.ts';
import { Dice } from './dice.ts';

const KEYS = ['app', 'env', 'tier', 'a/b', 'constructor', 'n'];
const VALUES = ['', 'a', 'b', 'c', 'd', 'e'];
const NUMBERS = ['0', '007', '12', '9223372036854775807', '9223372036854775806', '1e3', '-5'];
const LONG_LIST = Array.from({ length: 80 }, (_, at) => `v${at}`).join();

/** The number of events for each seed. `WINNOW_CASES` multiplies the number of `npm test`. */
const EVENTS = 20_000 * Number(process.env.WINNOW_CASES ?? 1);

describe('a MatchIndex', () => {
  it('transitions names the interests that an object enters, changes in and leaves', () => {
    const index = new MatchIndex();
    index.add('web', { selector: parseSelector('app=web') });
    index.add('not prod', { selector: parseSelector('env!=prod') });
    index.add('all', { selector: everything });
    index.add('none', { selector: nothing });
    const before = { labels: { app: 'web', env: 'prod' } };
    const after = { labels: { app: 'api', env: 'qa' } };
    expect(index.transitions(before, after)).toEqual({
      entered: ['not prod'],
      changed: ['all'],
      left: ['web'],
    });
    expect(index.transitions(undefined, before)).toEqual({ entered: ['web', 'all'], changed: [], left: [] });
    expect(index.transitions(before, undefined)).toEqual({ entered: [], changed: [], left: ['web', 'all'] });
    expect(index.transitions(undefined, undefined)).toEqual({ entered: [], changed: [], left: [] });
    expect(index.matching(after).sort()).toEqual(['all', 'not prod']);
  });

  it('an index adds an id once, replaces its interest and removes it', () => {
    const index = new MatchIndex<number>();
    index.add(7, { selector: parseSelector('a') });
    expect(() => index.add(7, { selector: everything })).toThrow(RangeError);
    index.replace(7, { selector: parseSelector('b') });
    expect(index.matching({ labels: { a: '1' } })).toEqual([]);
    expect(index.matching({ labels: { b: '1' } })).toEqual([7]);
    expect([index.size, index.has(7)]).toEqual([1, true]);
    expect([index.remove(7), index.remove(7), index.has(7), index.size]).toEqual([true, false, false, 0]);
    expect(index.matching({ labels: { b: '1' } })).toEqual([]);
  });

  it('equal selectors share one entry of the index', () => {
    const index = new MatchIndex<number>();
    index.add(1, { selector: parseSelector('a=1,b!=2') });
    index.add(2, { selector: parseSelector('b notin (2), a in (1), a==1') });
    index.add(3, { selector: fromLabelSelector({ matchLabels: { a: '1' } }) });
    expect(index.measure()).toMatchObject({ subscriptions: 3, entries: 2 });
  });

  it('an index frees the memory of removed interests', () => {
    const index = new MatchIndex<number>();
    for (let round = 0; round < 8; round++) {
      for (let at = 0; at < 500; at++) {
        index.add(at, { selector: parseSelector(`run=r${round}-${at},env in (a,b${round}),x${at}!=1`) });
        index.matching({ labels: { run: `r${round}-${at}`, env: 'a' } });
      }
      for (let at = 0; at < 500; at++) index.remove(at);
    }
    const { bytes, ...rest } = index.measure();
    expect(rest).toEqual({ subscriptions: 0, entries: 0 });
    expect(bytes).toBeLessThan(2 ** 19);
  });

  it('an index stays correct when rare labels become common, and the other way round', () => {
    const index = new MatchIndex<number>({ memoryLimit: 0 });
    const interests = new Map<number, Interest>();
    for (let id = 0; id < 200; id++) {
      const selector = parseSelector(`hot=1,rare=1,other in (a,b),n${id % 5}!=${id}`);
      index.add(id, { selector });
      interests.set(id, { selector });
    }
    const state = (plain: Readonly<Record<string, string>>): TestState => ({ plain, labels: plain });
    const common = state({ hot: '1', other: 'a' });
    const later = state({ rare: '1', other: 'b' });
    const both = state({ hot: '1', rare: '1', other: 'b', n0: '5', n1: '1' });
    for (const [round, often] of [common, later, common].entries()) {
      for (let count = 0; count < 5000; count++) index.match(often, often);
      index.remove(round);
      interests.delete(round);
      const entered = bruteForce(interests, common, both).entered;
      expect(entered.length).toBeGreaterThan(100);
      expect(index.transitions(common, both).entered.sort(ascending)).toEqual(entered);
      expect(index.transitions(both, later).left.sort(ascending)).toEqual(entered);
    }
    for (const id of interests.keys()) index.remove(id);
    expect(index.measure()).toMatchObject({ subscriptions: 0, entries: 0 });
    expect(index.matching(both)).toEqual([]);
  });

  it('an index finds all ids that share an entry while ids are added and removed', () => {
    const dice = new Dice(9);
    const index = new MatchIndex<number>({ memoryLimit: 0 });
    const interests = new Map<number, Interest>();
    const selectors = ['app in (web,db),env=prod', 'app=web,!canary', 'app in (web,db)'].map(parseSelector);
    const states: Record<string, string>[] = [
      { app: 'web', env: 'prod' },
      { app: 'db', env: 'prod' },
      { app: 'web', canary: '' },
    ];
    for (let round = 0; round < 2_000; round++) {
      const id = dice.below(60);
      if (!index.remove(id)) {
        const interest = { selector: dice.pick(selectors) };
        index.add(id, interest);
        interests.set(id, interest);
      } else {
        interests.delete(id);
      }
      const [before, after] = [dice.pick(states), dice.pick(states)].map((labels) => ({
        plain: labels,
        labels,
      }));
      if (before === undefined || after === undefined) continue;
      const { entered, changed, left } = index.transitions(before, after);
      const sorted = {
        entered: entered.sort(ascending),
        changed: changed.sort(ascending),
        left: left.sort(ascending),
      };
      expect(sorted).toEqual(bruteForce(interests, before, after));
    }
  });

  it('an index refuses labels of another vocabulary and stays usable', () => {
    const index = new MatchIndex({ vocabulary: new Vocabulary() });
    index.add('a', { selector: parseSelector('a') });
    index.add('b', { selector: parseSelector('b') });
    const foreign = { labels: new Vocabulary().labelSet({ a: '1' }) };
    expect(() => index.transitions({ labels: { b: '1' } }, foreign)).toThrow(TypeError);
    expect(index.matching({ labels: { a: '1' } })).toEqual(['a']);
  });

  it.each([1, 2, 3, 4])(
    'an index agrees with matching every selector, for any changes and events (%s)',
    (seed) => {
      const dice = new Dice(seed);
      let events = 0;
      while (events < EVENTS) events += playRound(dice);
    },
  );
});

function ascending(left: number, right: number): number {
  return left - right;
}

/** Tests one new index with events, while interests are added, removed and changed. Returns the number of events. */
function playRound(dice: Dice): number {
  const vocabulary = dice.chance(0.5) ? new Vocabulary() : undefined;
  const memoryLimit = dice.pick([undefined, undefined, 0, 20_000]);
  const index = new MatchIndex<number>({
    ...(vocabulary === undefined ? {} : { vocabulary }),
    ...(memoryLimit === undefined ? {} : { memoryLimit }),
  });
  const interests = new Map<number, Interest>();
  const states = Array.from({ length: 1 + dice.below(12) }, () => randomState(dice, vocabulary));
  const most = dice.pick([3, 12, 24]);
  const churn = dice.pick([0.02, 0.3, 0.7]);
  const length = 400;
  for (let step = 0; step < length; step++) {
    if (step < 10 || dice.chance(churn)) change(dice, index, interests, most);
    if (dice.chance(0.2)) states[dice.below(states.length)] = randomState(dice, vocabulary);
    const before = dice.chance(0.2) ? undefined : dice.pick(states);
    const after = dice.chance(0.2) ? undefined : dice.chance(0.3) ? before : dice.pick(states);
    const found = index.transitions(before, after);
    const expected = bruteForce(interests, before, after);
    for (const kind of ['entered', 'changed', 'left'] as const) {
      const ids = found[kind].sort(ascending);
      // Comparing the texts first saves hundreds of thousands of calls of the slow `expect`.
      if (ids.join() !== expected[kind].join()) {
        expect({ step, kind, ids, before, after }).toEqual({
          step,
          kind,
          ids: expected[kind],
          before,
          after,
        });
      }
    }
  }
  return length;
}

function change(dice: Dice, index: MatchIndex<number>, interests: Map<number, Interest>, most: number): void {
  const id = dice.below(most);
  if (interests.has(id) && dice.chance(0.4)) {
    index.remove(id);
    interests.delete(id);
    return;
  }
  const interest = randomInterest(dice);
  if (interests.has(id) || dice.chance(0.5)) {
    index.replace(id, interest);
  } else {
    index.add(id, interest);
  }
  interests.set(id, interest);
}

function bruteForce(
  interests: ReadonlyMap<number, Interest>,
  before: TestState | undefined,
  after: TestState | undefined,
): Record<Transition, number[]> {
  const found: Record<Transition, number[]> = { entered: [], changed: [], left: [] };
  for (const [id, interest] of interests) {
    const was = before !== undefined && accepts(interest, before);
    const is = after !== undefined && accepts(interest, after);
    if (was || is) found[was && is ? 'changed' : is ? 'entered' : 'left'].push(id);
  }
  for (const ids of Object.values(found)) ids.sort(ascending);
  return found;
}

/** More namespaces than a program holds as alternatives, and more than an interest has homes for (`MOST_HOMES`). */
const MANY_PLACES = Array.from({ length: 100 }, (_, index) => `n${index}`);

interface TestState extends MatchState {
  readonly plain: Readonly<Record<string, string>>;
}

function accepts(
  { selector, namespace, namespaces, fields }: Interest,
  { plain, readField, ...state }: TestState,
): boolean {
  if (namespace !== undefined && namespace !== (state.namespace ?? '')) return false;
  if (namespaces?.includes(state.namespace ?? '') === false) return false;
  if (fields !== undefined && !fields.matches((field) => readField?.(field))) return false;
  return selector.matches(plain);
}

function randomInterest(dice: Dice): Interest {
  const terms = Array.from({ length: dice.pick([0, 1, 1, 2, 2, 3, 5]) }, () => randomTerm(dice));
  const field = dice.pick(['metadata.name', 'status.phase']);
  return {
    selector: dice.chance(0.02) ? nothing : parseSelector(terms.join()),
    ...randomPlace(dice),
    ...(dice.chance(0.2)
      ? { fields: parseFieldSelector(`${field}${dice.pick(['=', '!='])}${dice.pick(VALUES)}`) }
      : {}),
  };
}

/** One namespace, some or none, more than a program has alternatives for, or all namespaces. */
function randomPlace(dice: Dice): Pick<Interest, 'namespace' | 'namespaces'> {
  if (dice.chance(0.2)) return { namespace: dice.pick(['', 'x', 'y']) };
  if (dice.chance(0.8)) return {};
  const some = ['', 'x', 'y', 'z'].filter(() => dice.chance(0.5));
  return { namespaces: dice.chance(0.2) ? [...some, ...MANY_PLACES] : some };
}

function randomTerm(dice: Dice): string {
  const key = dice.pick(KEYS);
  const list = dice.chance(0.05)
    ? LONG_LIST
    : [...new Set(Array.from({ length: 1 + dice.below(12) }, () => dice.pick(VALUES)))].join();
  switch (dice.below(8)) {
    case 0:
    case 1:
      return `${key}=${dice.pick(VALUES)}`;
    case 2:
      return `${key}!=${dice.pick(VALUES)}`;
    case 3:
      return `${key} in (${list})`;
    case 4:
      return `${key} notin (${list})`;
    case 5:
      return key;
    case 6:
      return `!${key}`;
    default:
      return `n${dice.pick(['>', '<'])}${dice.pick(NUMBERS.slice(0, -2))}`;
  }
}

function randomState(dice: Dice, vocabulary: Vocabulary | undefined): TestState {
  const plain: Record<string, string> = {};
  for (let count = dice.below(7); count > 0; count--) {
    const key = dice.pick([...KEYS, 'unnamed']);
    plain[key] = dice.pick(key === 'n' ? NUMBERS : [...VALUES, 'other', 'v7', `u${dice.below(1000)}`]);
  }
  const fields = new Map([
    ['status.phase', dice.pick(VALUES)],
    ['metadata.name', dice.pick(VALUES)],
  ]);
  const map = () => new Map(Object.entries(plain));
  const labels =
    vocabulary && dice.chance(0.7) ? vocabulary.labelSet(plain) : dice.chance(0.5) ? plain : map();
  return {
    plain,
    labels,
    ...(dice.chance(0.3) ? {} : { namespace: dice.pick(['', 'x', 'y', 'z']) }),
    ...(dice.chance(0.3) ? {} : { readField: (field: string) => fields.get(field) }),
  };
}

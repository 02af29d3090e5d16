import { type Condition, toSelectorText } from './condition.ts';
import { SeededRandom } from './random.ts';

export type GridOutcome = 'hit' | 'late miss' | 'half hits';
export const GRID_OUTCOMES: readonly GridOutcome[] = ['hit', 'late miss', 'half hits'];

export interface Grid {
  readonly requirements: number;
  readonly outcome: GridOutcome;
  readonly selectors: number;
  readonly sets: number;
}

/** A key, the part of the objects that carry it, and the values it has there, each as often as another. */
interface GridKey {
  readonly name: string;
  readonly presence: 0 | 0.5 | 1;
  readonly values: readonly string[];
}

/**
 * Selectors, each to be asked of every one of the label sets, a line of JSON each: first the selectors, then the sets,
 * which have ten labels among twenty keys in many orders. All requirements but the last in the order of the keys, the
 * order Kubernetes looks at them, hold for every set. The last one holds for all (hit), none (late miss), or half.
 */
export function* createGrid({ requirements, outcome, selectors, sets }: Grid): Generator<string> {
  const random = new SeededRandom(requirements);
  const keys = createKeys(random);
  for (let at = 0; at < selectors; at++) {
    const conditions = drawConditions(keys, { random, requirements, outcome });
    yield JSON.stringify({ selector: toSelectorText(conditions) });
  }
  for (let at = 0; at < sets; at++) yield JSON.stringify({ labels: createLabels(keys, random) });
}

/** Objects of one kind in one namespace: much is the same, some differs, half of a few keys is there. */
function createKeys(random: SeededRandom): GridKey[] {
  const kinds = [
    { count: 5, presence: 1, values: 1 },
    { count: 2, presence: 1, values: 2 },
    { count: 1, presence: 1, values: 4 },
    { count: 4, presence: 0.5, values: 100 },
    { count: 8, presence: 0, values: 0 },
  ] as const;
  const all = kinds.flatMap(({ count, ...kind }) => Array.from({ length: count }, () => kind));
  return random.sample(all, all.length).map(({ presence, values }, at) => ({
    name: `label-${String(at).padStart(2, '0')}`,
    presence,
    values: Array.from({ length: values }, (_, value) => `v${value}`),
  }));
}

function createLabels(keys: readonly GridKey[], random: SeededRandom): Record<string, string> {
  const halves = keys.filter(({ presence }) => presence === 0.5);
  const carried = [
    ...keys.filter(({ presence }) => presence === 1),
    ...random.sample(halves, halves.length / 2),
  ];
  return Object.fromEntries(
    random.sample(carried, carried.length).map(({ name, values }) => [name, random.pick(values)]),
  );
}

const OPERATORS = ['=', '=', '=', 'in', 'in', 'exists', '!=', 'notin', '!'] as const;
const PARTS: Record<GridOutcome, number> = { hit: 1, 'late miss': 0, 'half hits': 0.5 };

/** Operators as often as the list has them, each on a key where it can hold for as many objects as it shall. */
function drawConditions(
  keys: readonly GridKey[],
  { random, requirements, outcome }: { random: SeededRandom } & Pick<Grid, 'requirements' | 'outcome'>,
): Condition[] {
  for (;;) {
    const order = random.sample(keys, keys.length);
    const conditions = Array.from({ length: requirements }, (_, place) => {
      const part = place === requirements - 1 ? PARTS[outcome] : 1;
      return takeCondition(order, { random, part, operator: random.pick(OPERATORS) });
    });
    const names = conditions.map((condition) => condition?.key ?? '');
    const last = names.at(-1) ?? '';
    if (!names.includes('') && names.every((name) => name <= last)) {
      return conditions.flatMap((condition) => condition ?? []);
    }
  }
}

interface Wish {
  readonly random: SeededRandom;
  readonly operator: Condition['operator'];
  /** The part of the objects the condition holds for. */
  readonly part: number;
}

/** The condition on the first key that can have it, which is taken out; undefined where none can. */
function takeCondition(keys: GridKey[], wish: Wish): Condition | undefined {
  for (const [at, key] of keys.entries()) {
    const condition = createCondition(key, wish);
    if (condition === undefined) continue;
    keys.splice(at, 1);
    return condition;
  }
  return undefined;
}

const MOST_VALUES = 4;

function createCondition(
  { name: key, presence, values }: GridKey,
  { random, operator, part }: Wish,
): Condition | undefined {
  if (operator === 'exists' || operator === '!') {
    return part === (operator === '!' ? 1 - presence : presence) ? { key, operator, values: [] } : undefined;
  }
  const listed = operator === '!=' || operator === 'notin' ? 1 - part : part;
  const count = listed === 0 ? 0 : (listed / presence) * values.length;
  if (!Number.isInteger(count) || count > Math.min(values.length, MOST_VALUES)) return undefined;
  const isOne = operator === '=' || operator === '!=';
  const others = Array.from({ length: isOne ? 1 - count : 3 - count }, () => `other-${random.below(100)}`);
  const asked = [...random.sample(values, count), ...others];
  return isOne && asked.length !== 1 ? undefined : { key, operator, values: asked };
}

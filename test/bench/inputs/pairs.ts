import { type Condition, toExpression, toSelectorText } from './condition.ts';
import { evenKeys, type LabelKey } from './label-keys.ts';
import { SeededRandom, Zipf } from './random.ts';

export type Outcome = 'hit' | 'late miss';
export const OUTCOMES: readonly Outcome[] = ['hit', 'late miss'];

const SELECTORS = 50;
/** Label sets for each selector. */
const SETS = 20;
const LABELS = 10;

/**
 * Selectors, each with label sets of ten labels among fifty keys in many orders. A hit meets all requirements; a late
 * miss all but the last in the order of the keys, which is the order Kubernetes looks at them.
 */
export function* createPairs(requirements: number, outcome: Outcome): Generator<string> {
  const random = new SeededRandom(requirements);
  const keys = evenKeys({ count: 50, carried: LABELS, values: new Zipf(100, 0.8) });
  for (let at = 0; at < SELECTORS; at++) {
    const conditions = random
      .sample(keys, requirements)
      .sort(byName)
      .map((key) => createCondition(key, random));
    for (let set = 0; set < SETS; set++) {
      const labels = createLabels(keys, conditions, {
        random,
        miss: outcome === 'hit' ? undefined : conditions.at(-1),
      });
      yield JSON.stringify([toSelectorText(conditions), conditions.map(toExpression), labels]);
    }
  }
}

function byName(left: LabelKey, right: LabelKey): number {
  return left.name < right.name ? -1 : 1;
}

const OPERATORS = ['=', '=', '=', 'in', 'in', 'exists', '!=', 'notin', '!'] as const;

function createCondition(key: LabelKey, random: SeededRandom): Condition {
  const operator = random.pick(OPERATORS);
  if (operator === 'exists' || operator === '!') return { key: key.name, operator, values: [] };
  return { key: key.name, operator, values: key.drawSome(random, operator.endsWith('in') ? 3 : 1) };
}

/** Ten labels that meet all conditions but the one to miss. */
function createLabels(
  keys: readonly LabelKey[],
  conditions: readonly Condition[],
  { random, miss }: { random: SeededRandom; miss: Condition | undefined },
): Record<string, string> {
  const asked = new Map(conditions.map((condition) => [condition.key, condition]));
  const wanted = keys.filter(({ name }) => {
    const condition = asked.get(name);
    return condition !== undefined && isCarried(condition, condition !== miss);
  });
  const others = keys.filter(({ name }) => !asked.has(name));
  const chosen = random.sample([...wanted, ...random.sample(others, LABELS - wanted.length)], LABELS);
  return Object.fromEntries(
    chosen.map((key) => {
      const condition = asked.get(key.name);
      const value =
        condition && isListed(condition, condition !== miss) ? random.pick(condition.values) : undefined;
      return [key.name, value ?? `other-${random.below(100)}`];
    }),
  );
}

/** Whether the object carries the key, where the condition shall hold or not. */
function isCarried({ operator }: Condition, holds: boolean): boolean {
  if (operator === 'exists') return holds;
  return operator === '!' ? !holds : true;
}

/** Whether its value is one of those named. */
function isListed({ operator, values }: Condition, holds: boolean): boolean {
  if (values.length === 0) return false;
  return operator === '=' || operator === 'in' ? holds : !holds;
}

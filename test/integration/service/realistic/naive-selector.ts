import type { Dice } from './dice.ts';
import { KEYS, NAMESPACES, NODES, VOCABULARY } from './vocabulary.ts';

export type Labels = Readonly<Record<string, string>>;

/** The parts of an object that a selector can see. */
export interface Selectable {
  readonly namespace: string;
  readonly name: string;
  readonly nodeName: string;
  readonly labels: Labels;
}

/** A selector as a client writes it, and an independent implementation from the text of Kubernetes' labels page. */
export interface NaiveSelector {
  readonly query: { readonly labelSelector?: string; readonly fieldSelector?: string };
  selects(object: Selectable): boolean;
}

interface Requirement {
  readonly text: string;
  holds(labels: Labels): boolean;
}

const has = (labels: Labels, key: string) => Object.keys(labels).includes(key);
const isOneOf = (labels: Labels, key: string, values: readonly string[]) =>
  has(labels, key) && values.some((value) => labels[key] === value);

/** The operators. "Resources with no labels with the key" also satisfy `!=` and `notin`. */
const OPERATORS: readonly ((key: string, values: readonly string[]) => Requirement)[] = [
  (key, [value = '']) => ({ text: `${key}=${value}`, holds: (labels) => isOneOf(labels, key, [value]) }),
  (key, [value = '']) => ({ text: `${key} == ${value}`, holds: (labels) => isOneOf(labels, key, [value]) }),
  (key, [value = '']) => ({ text: `${key}!=${value}`, holds: (labels) => !isOneOf(labels, key, [value]) }),
  (key, values) => ({
    text: `${key} in (${values.join(', ')})`,
    holds: (labels) => isOneOf(labels, key, values),
  }),
  (key, values) => ({
    text: `${key} notin (${values.join(',')})`,
    holds: (labels) => !isOneOf(labels, key, values),
  }),
  (key) => ({ text: key, holds: (labels) => has(labels, key) }),
  (key) => ({ text: `!${key}`, holds: (labels) => !has(labels, key) }),
];

const COMPARISONS: readonly ((bound: number) => Requirement)[] = [
  (bound) => ({
    text: `priority>${bound}`,
    holds: (labels) => has(labels, 'priority') && Number(labels.priority) > bound,
  }),
  (bound) => ({
    text: `priority<${bound}`,
    holds: (labels) => has(labels, 'priority') && Number(labels.priority) < bound,
  }),
];

const requirement = (text: string, holds: Requirement['holds']): NaiveSelector => ({
  query: { labelSelector: text },
  selects: ({ labels }) => holds(labels),
});

/** The labels page's own examples. */
export const PAGE: readonly NaiveSelector[] = [
  { query: {}, selects: () => true },
  requirement(
    'environment=production,tier!=frontend',
    (l) => l.environment === 'production' && l.tier !== 'frontend',
  ),
  requirement(
    'environment in (production, qa)',
    (l) => l.environment === 'production' || l.environment === 'qa',
  ),
  requirement('tier notin (frontend, backend)', (l) => l.tier !== 'frontend' && l.tier !== 'backend'),
  requirement('partition', (l) => l.partition !== undefined),
  requirement('!partition', (l) => l.partition === undefined),
  requirement('partition,environment notin (qa)', (l) => l.partition !== undefined && l.environment !== 'qa'),
  requirement(
    'partition in (customerA, customerB),environment!=qa',
    (l) => (l.partition === 'customerA' || l.partition === 'customerB') && l.environment !== 'qa',
  ),
  requirement('drained=', (l) => l.drained === ''),
  requirement('environment=nowhere', () => false),
  requirement('environment=qa,environment=dev', () => false),
];

/** Returns a selector of one to four requirements of any kind. */
export function randomSelector(dice: Dice): NaiveSelector {
  const requirements = Array.from({ length: dice.between(1, 4) }, () => randomRequirement(dice));
  return requirement(requirements.map(({ text }) => text).join(','), (labels) =>
    requirements.every(({ holds }) => holds(labels)),
  );
}

function randomRequirement(dice: Dice): Requirement {
  if (dice.chance(0.1)) return dice.pick(COMPARISONS)(dice.between(0, 100));
  const key = dice.pick(KEYS);
  const values = dice.sample(VOCABULARY[key] ?? [], dice.between(1, 3));
  return dice.pick(OPERATORS)(key, values);
}

/** Returns field selectors, alone and with a label selector. */
export function fieldSelectors(dice: Dice): NaiveSelector[] {
  const node = dice.pick(NODES);
  const namespace = dice.pick(NAMESPACES);
  return [
    { query: { fieldSelector: `spec.nodeName=${node}` }, selects: (object) => object.nodeName === node },
    {
      query: { fieldSelector: `spec.nodeName!=${node}`, labelSelector: 'environment=qa' },
      selects: (object) => object.nodeName !== node && object.labels.environment === 'qa',
    },
    {
      query: { fieldSelector: `metadata.namespace=${namespace}`, labelSelector: 'tier=cache' },
      selects: (object) => object.namespace === namespace && object.labels.tier === 'cache',
    },
    {
      query: { fieldSelector: `metadata.namespace!=${namespace},spec.nodeName=${node}` },
      selects: (object) => object.namespace !== namespace && object.nodeName === node,
    },
  ];
}

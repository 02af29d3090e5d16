import type { Operator, Selector } from '../../../../lib/selectors/index.ts';

/**
 * An independent model of selectors: a small world of label sets. It tests each requirement against every label set.
 * Nothing here counts, compares ranges or reasons about requirements.
 */

export interface Ask {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** A subset of the world's label sets, one bit for each label set. */
export type Part = Uint32Array;

const LARGEST = '9223372036854775807';

/** Returns every label value that spells the integer, with leading zeros and up to 63 digits. */
export function spellingsOf(integer: string): string[] {
  return Array.from({ length: 64 - integer.length }, (_, zeros) => '0'.repeat(zeros) + integer);
}

const SIXES = spellingsOf('6');
const LARGESTS = spellingsOf(LARGEST);
const NAMED = ['', 'a', 'b', '0', '00', '5', '05', '7', '07', '9223372036854775808', 'A.b-c_0'];
/** Values that no requirement names. Each represents all values that no requirement distinguishes from it. */
const UNNAMED = [
  'zz',
  ...['0', '1', '2', '4', '5', '7', '8', '100', '9223372036854775805', '9223372036854775806'].map(
    (n) => `000${n}`,
  ),
];
const STATES = {
  a: [undefined, ...NAMED, ...UNNAMED, ...SIXES, ...LARGESTS],
  b: [undefined, '', 'a', '4', '5', '05', '6', '06', '7', 'zz'],
} as const;

/** Value sets for `in` and `notin`. Some hold all spellings of an integer, and some all but one or a few. */
const SETS = [
  ...NAMED.map((value) => [value]),
  ['6'],
  ['06'],
  [LARGEST],
  ['a', 'b'],
  ['', 'a', 'A.b-c_0'],
  ['5', '6', '7'],
  ['05', '06', '006', '07'],
  SIXES,
  SIXES.slice(1),
  SIXES.slice(0, 40),
  SIXES.slice(0, 31),
  SIXES.slice(31),
  ['5', '05', ...SIXES],
  LARGESTS,
  LARGESTS.slice(2),
];
const BOUNDS = [
  '0',
  '1',
  '4',
  '5',
  '05',
  '6',
  '7',
  '8',
  '9223372036854775805',
  '9223372036854775806',
  LARGEST,
];

export const ASKS: readonly Ask[] = [
  ...SETS.flatMap((values) => [
    { key: 'a', operator: values.length === 1 ? '=' : 'in', values } as const,
    { key: 'a', operator: values.length === 1 ? '!=' : 'notin', values } as const,
  ]),
  ...BOUNDS.flatMap((bound) => [
    { key: 'a', operator: 'gt', values: [bound] } as const,
    { key: 'a', operator: 'lt', values: [bound] } as const,
  ]),
  ...['a', 'b'].flatMap((key) => [
    { key, operator: 'exists', values: [] } as const,
    { key, operator: '!', values: [] } as const,
  ]),
  { key: 'b', operator: '==', values: ['a'] },
  { key: 'b', operator: 'in', values: ['', '06'] },
  { key: 'b', operator: 'notin', values: ['a', '5'] },
  { key: 'b', operator: 'gt', values: ['5'] },
  { key: 'b', operator: 'lt', values: ['6'] },
];

const WORLD = STATES.a.flatMap((a) => STATES.b.map((b) => ({ a, b })));

const EVERYWHERE = partWhere(() => true);
const NOWHERE = partWhere(() => false);

/** Whether labels meet one requirement, as the pages of Kubernetes describe it. */
function isMet({ key, operator, values }: Ask, labels: (typeof WORLD)[number]): boolean {
  const actual = key === 'a' ? labels.a : labels.b;
  const [bound = ''] = values;
  switch (operator) {
    case 'exists':
      return actual !== undefined;
    case '!':
      return actual === undefined;
    case '=':
    case '==':
    case 'in':
      return actual !== undefined && values.includes(actual);
    case '!=':
    case 'notin':
      return actual === undefined || !values.includes(actual);
    case 'gt':
      return isInteger(actual) && BigInt(actual) > BigInt(bound);
    case 'lt':
      return isInteger(actual) && BigInt(actual) < BigInt(bound);
    default:
      throw operator satisfies never;
  }
}

function isInteger(value: string | undefined): value is string {
  return value !== undefined && /^\d+$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

const byAsk = new Map<Ask, Part>();
const byText = new Map<string, Part>();

/** The part of the world that meets one requirement. The result is cached by identity and by text. */
function partOf(ask: Ask): Part {
  const known = byAsk.get(ask) ?? byText.get(write(ask));
  if (known) return known;
  const part = partWhere((labels) => isMet(ask, labels));
  byAsk.set(ask, part);
  byText.set(write(ask), part);
  return part;
}

/** The part of the world that meets all requirements. */
export function partOfAll(asks: readonly Ask[]): Part {
  return asks.map(partOf).reduce(common, EVERYWHERE);
}

/** The part of the world that meets the selector's requirements, read as data. */
export function partOfSelector(selector: Selector): Part {
  if (!selector.isEmpty && selector.requirements.length === 0) return NOWHERE;
  return partOfAll(selector.requirements);
}

export function common(one: Part, other: Part): Part {
  const both = new Uint32Array(one);
  for (let index = 0; index < both.length; index++) both[index] = (one[index] ?? 0) & (other[index] ?? 0);
  return both;
}

export function isNowhere(part: Part): boolean {
  return isSame(part, NOWHERE);
}

export function isSame(one: Part, other: Part): boolean {
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}

export function write({ key, operator, values }: Ask): string {
  const symbols = { gt: '>', lt: '<', '=': '=', '==': '==', '!=': '!=' } as const;
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values})`;
    default:
      return `${key}${symbols[operator]}${values}`;
  }
}

function partWhere(accepts: (labels: (typeof WORLD)[number]) => boolean): Part {
  const part = new Uint32Array(Math.ceil(WORLD.length / 32));
  WORLD.forEach((labels, index) => {
    if (accepts(labels)) part[index >> 5] = (part[index >> 5] ?? 0) | (1 << (index & 31));
  });
  return part;
}

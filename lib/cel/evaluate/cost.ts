import type { Meter } from '../meter.ts';
import {
  CelError,
  ListValue,
  lengthOf,
  MapValue,
  OpaqueValue,
  OptionalValue,
  type Value,
} from '../values/index.ts';

/** The cost of traversing one character of a text. */
const TRAVERSAL = 0.1;
/** The cost of one character of a regular expression, for each unit of the text's cost. */
const PATTERN = 0.25;

interface CallCost {
  /** The only overload that may apply, or an empty text. */
  readonly overload: string;
  readonly values: readonly Value[];
}

/** Charges a call with these arguments. */
export type Charge = (meter: Meter, values: readonly Value[]) => void;

/** Returns what a call costs in Kubernetes' libraries (library/cost.go), else in cel-go (runtimecost.go). */
export function chargeOf(name: string, overload: string): Charge {
  const library = LIBRARY.get(name);
  const standard = STANDARD[overload] ?? ONE_STEP;
  return (meter, values) => meter.charge(library?.({ overload, values }, meter) ?? standard(values));
}

type Cost = (call: CallCost, meter: Meter) => number | undefined;

const FIRST: Cost = ({ values }) => traversal(plainSize(values, 0));
const FIRST_TWICE: Cost = ({ values }) => Math.ceil(plainSize(values, 0) * 2 * TRAVERSAL);
const ELEMENTS: Cost = ({ values }, meter) => (values.length > 0 ? wholeCost(values[0] ?? null, meter) : 0);
const FIND: Cost = ({ values }) => matchCost(plainSize(values, 0), plainSize(values, 1));
const SELECTOR: Cost = ({ values }) => {
  const length = plainSize(values, 1);
  return 10 + traversal(length) + Math.ceil(Math.ceil(length * 0.5) * 50);
};

/** The costs of functions by name, as Kubernetes' libraries have them. Their other functions cost 1. */
const LIBRARY: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['check', () => 350_000],
  ...functions(SELECTOR, ['fieldSelector', 'labelSelector']),
  ...functions(ELEMENTS, ['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']),
  ...functions(FIRST, [
    ...[
      'url',
      'lowerAscii',
      'upperAscii',
      'substring',
      'trim',
      'jsonpatch.escapeKey',
      'cidr',
      'isIP',
      'isCIDR',
    ],
    ...['quantity', 'isQuantity', 'semver', 'isSemver'],
  ]),
  ...functions(FIRST_TWICE, ['replace', 'split', 'ip.isCanonical']),
  ...functions(FIND, ['find', 'findAll']),
  ['join', ({ values }) => Math.ceil(joinedSize(values) * 2 * TRAVERSAL)],
  ['ip', (call, meter) => (call.overload === 'cidr_ip' ? 1 : FIRST(call, meter))],
  ['containsIP', ({ overload, values }) => containsCost(values, overload === 'cidr_contains_ip_string')],
  [
    'containsCIDR',
    ({ overload, values }) =>
      containsCost(values, overload === 'cidr_contains_cidr_string') + traversal(plainSize(values, 0)) + 1,
  ],
  [
    'validate',
    ({ values: [format, text] }) =>
      format instanceof OpaqueValue && format.patternSize !== undefined
        ? matchCost(plainSize([text ?? null], 0), format.patternSize)
        : undefined,
  ],
  ['_==_', ({ values: [one] }) => (one instanceof OpaqueValue && one.typeName !== 'unknown' ? 1 : undefined)],
]);

function functions(cost: Cost, names: readonly string[]): [string, Cost][] {
  return names.map((name) => [name, cost]);
}

type StandardCost = (values: readonly Value[]) => number;

const ONE_STEP: StandardCost = () => 1;
const TRAVERSED: StandardCost = (values) => traversal(sizeAt(values, 0));
const COMPARED: StandardCost = (values) => traversal(Math.min(sizeAt(values, 0), sizeAt(values, 1)));
const JOINED: StandardCost = (values) => traversal(sizeAt(values, 0) + sizeAt(values, 1));
const MULTIPLIED: StandardCost = (values) => 1 + sizeAt(values, 0) * sizeAt(values, 1);

/** The costs of overloads whose cost is not 1. */
const STANDARD: Readonly<Record<string, StandardCost>> = {
  ...overloads(TRAVERSED, [
    ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string', 'strings_quote'],
    'string_format',
  ]),
  ...overloads(COMPARED, [
    ...['less_string', 'greater_string', 'less_equals_string', 'greater_equals_string', 'less_bytes'],
    ...['greater_bytes', 'less_equals_bytes', 'greater_equals_bytes', 'equals', 'not_equals'],
  ]),
  ...overloads(JOINED, ['add_string', 'add_bytes']),
  ...overloads(MULTIPLIED, ['list_sets_contains_list', 'list_sets_intersects_list']),
  list_sets_equivalent_list: (values) => 1 + sizeAt(values, 0) * sizeAt(values, 1) * 2,
  in_list: (values) => sizeAt(values, 1),
  matches_string: (values) => matchCost(sizeAt(values, 0), sizeAt(values, 1)),
  contains_string: (values) => traversal(sizeAt(values, 0)) * traversal(sizeAt(values, 1)),
};

function overloads(cost: StandardCost, ids: readonly string[]): Record<string, StandardCost> {
  return Object.fromEntries(ids.map((id) => [id, cost]));
}

function traversal(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}

function matchCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * TRAVERSAL) * Math.ceil(pattern * PATTERN);
}

function containsCost(values: readonly Value[], isParsed: boolean): number {
  return Math.ceil(plainSize(values, 0) * 2 * TRAVERSAL) + (isParsed ? traversal(plainSize(values, 1)) : 0);
}

/** Returns the size of a value: characters, bytes, elements or entries. An optional has the size of its value. */
function sizeAt(values: readonly Value[], at: number): number {
  const value = values[at];
  return value instanceof OptionalValue && value.value !== undefined
    ? sizeAt([value.value], 0)
    : plainSize(values, at);
}

function plainSize(values: readonly Value[], at: number): number {
  const value = values[at];
  if (typeof value === 'string') return lengthOf(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  return value instanceof OpaqueValue ? (value.size ?? 1) : 1;
}

/** Returns the size of the text that `join` will build. */
function joinedSize([list, separator]: readonly Value[]): number {
  if (!(list instanceof ListValue)) return 1;
  if (separator instanceof CelError) return 1;
  let size = typeof separator === 'string' ? lengthOf(separator) * Math.max(list.size - 1, 0) : 0;
  for (const text of list) {
    if (typeof text !== 'string') return 1;
    size += lengthOf(text);
  }
  return size;
}

/** Returns the cost of traversing a whole value: a tenth of each text's bytes, and 1 for each scalar. */
function wholeCost(value: Value, meter: Meter): number {
  meter.work(1);
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.trunc(value.length * TRAVERSAL);
  let cost = 0;
  if (value instanceof ListValue) {
    for (const element of value) cost += wholeCost(element, meter);
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  for (const key of value.keys()) cost += wholeCost(key, meter) + wholeCost(value.find(key) ?? null, meter);
  return cost;
}

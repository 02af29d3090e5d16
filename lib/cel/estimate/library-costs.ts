import type { Type } from '../types.ts';
import type { CallCost, Operand, SizeOf } from './operand.ts';
import {
  add,
  fixed,
  MOST,
  multiply,
  NOTHING,
  ONE,
  PER_CHARACTER,
  PER_PATTERN_CHARACTER,
  type Range,
  scale,
  UNKNOWN,
} from './range.ts';

/** A call of a function of Kubernetes' libraries. */
export interface LibraryCall {
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly sizeOf: SizeOf;
}

type Costing = (call: LibraryCall) => CallCost | undefined;

/** The cost of an authorization check: a rule can afford two. */
const CHECK = 350_000n;
/** The size of an address, in bytes. */
const ADDRESS: Range = { min: 4n, max: 16n };
/** The length that upstream assumes for the pattern of a named format. */
const FORMAT_PATTERN = 128;
/** The largest length of a format's name. */
const FORMAT_NAME = 64n;

/**
 * Returns the cost of a call by the name of its function (k8s.io/apiserver, pkg/cel/library/cost.go); undefined for
 * functions whose cost cel-go knows.
 */
export function libraryCost(name: string, call: LibraryCall): CallCost | undefined {
  return COSTS.get(name)?.(call);
}

function sizeOf(operand: Operand | undefined, known: SizeOf): Range {
  if (operand?.size !== undefined) return operand.size;
  const most = operand?.path && known(operand.path.parts);
  return most === undefined ? UNKNOWN : { min: 0n, max: most };
}

function traversal(size: Range): Range {
  return scale(size, PER_CHARACTER);
}

const nominal: Costing = () => ({ cost: ONE });

/** A function that scans its first argument. */
const scansArgument: Costing = ({ args, sizeOf: known }) => ({ cost: traversal(sizeOf(args[0], known)) });

/** A function that scans its receiver and returns a text that is no longer. */
const scansTarget: Costing = ({ target, sizeOf: known }) => {
  const size = sizeOf(target, known);
  return { cost: traversal(size), size };
};

/** A function that compares the elements of a list, or scans a text. */
const comparesElements: Costing = ({ target, sizeOf: known }) => {
  const size = sizeOf(target, known);
  const element = elementOf(target);
  if (element === undefined) return { cost: traversal(size) };
  const isText = element.type?.kind === 'string' || element.type?.kind === 'bytes';
  return { cost: multiply(size, isText ? add(ONE, traversal(elementSize(element, known))) : ONE) };
};

interface Element {
  readonly type: Type | undefined;
  readonly path: readonly string[] | undefined;
}

function elementOf(list: Operand | undefined): Element | undefined {
  const [type] = list?.type?.parameters ?? [];
  if (type === undefined) return undefined;
  return { type, path: list?.path && [...list.path.parts, '@items'] };
}

function elementSize({ path }: Element, known: SizeOf): Range {
  const most = path && known(path);
  return most === undefined ? UNKNOWN : { min: 0n, max: most };
}

const replace: Costing = ({ target, args, sizeOf: known }) => {
  const size = sizeOf(target, known);
  const [replaced, replacement] = [sizeOf(args[0], known), sizeOf(args[1], known)];
  const [high, low] = [mostReplaced(size, replaced, replacement), leastReplaced(size, replaced, replacement)];
  const count = { min: low.count, max: high.count };
  const kept = { min: low.kept, max: high.kept };
  return { cost: scale(size, 2 * PER_CHARACTER), size: add(multiply(count, replacement), kept) };
};

/** How often a text is replaced, and the number of characters that stay. */
interface Replaced {
  readonly count: bigint;
  readonly kept: bigint;
}

function mostReplaced({ max }: Range, replaced: Range, replacement: Range): Replaced {
  if (replaced.min === 0n) return { count: max < MOST ? max + 1n : max, kept: max };
  if (replacement.max <= replaced.min) return { count: 0n, kept: max };
  return { count: quotient(max, replaced.min), kept: 0n };
}

function leastReplaced({ min }: Range, replaced: Range, replacement: Range): Replaced {
  if (replaced.max === 0n) return { count: min < MOST ? min + 1n : min, kept: min };
  if (replaced.max <= replacement.min) return { count: 0n, kept: min };
  return { count: quotient(min, replaced.max), kept: 0n };
}

/** Divides in floating-point arithmetic and rounds up. */
function quotient(value: bigint, by: bigint): bigint {
  const result = Math.ceil(Number(value) / Number(by));
  return result >= 2 ** 64 ? MOST : BigInt(result);
}

const split: Costing = ({ target, args, sizeOf: known }) => {
  const size = sizeOf(target, known);
  const limit = args[1]?.node;
  const isLiteral = limit?.kind === 'constant' && limit.constant.type === 'int';
  const max = isLiteral ? BigInt.asUintN(64, limit.constant.value) : size.max;
  return { cost: scale(size, 2 * PER_CHARACTER), size: { min: 0n, max } };
};

const join: Costing = ({ target, args, sizeOf: known }) => {
  const count = sizeOf(target, known);
  const element = elementOf(target);
  const texts = element === undefined ? NOTHING : multiply(count, elementSize(element, known));
  const between = { min: count.min > 0n ? count.min - 1n : 0n, max: count.max > 0n ? count.max - 1n : 0n };
  const size = args.length === 0 ? texts : add(texts, multiply(sizeOf(args[0], known), between));
  return { cost: traversal(size), size };
};

const find: Costing = ({ target, args, sizeOf: known }) => {
  const size = sizeOf(target, known);
  const pattern = scale(sizeOf(args[0], known), PER_PATTERN_CHARACTER);
  return { cost: multiply(traversal(add(size, ONE)), pattern), size: { min: 0n, max: size.max } };
};

const selector: Costing = ({ args, sizeOf: known }) => {
  if (args.length !== 1) return undefined;
  const size = sizeOf(args[0], known);
  return { cost: add(fixed(10n), traversal(size), scale(scale(size, 0.5), 50)) };
};

/** Returns the cost of comparing addresses; an address as text is parsed first. */
function addressCost({ args, overload, sizeOf: known }: LibraryCall, more: Range): CallCost | undefined {
  if (args.length === 0) return undefined;
  const compared = add(traversal(add(ADDRESS, ADDRESS)), more);
  return { cost: overload.endsWith('_string') ? add(compared, traversal(sizeOf(args[0], known))) : compared };
}

/** A function that compares each element of one list with each of the other. */
function setCost(factor: number): Costing {
  return ({ args, sizeOf: known }) => {
    const pairs = multiply(sizeOf(args[0], known), sizeOf(args[1], known));
    return { cost: add(scale(pairs, factor), ONE) };
  };
}

const validate: Costing = ({ args, sizeOf: known }) => ({
  cost: scale(traversal(sizeOf(args[0], known)), FORMAT_PATTERN * PER_PATTERN_CHARACTER),
});

/** Kubernetes' structs whose comparison has a fixed cost. */
const CHEAP_STRUCTS: ReadonlySet<string> = new Set([
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
]);

const equality: Costing = ({ args: [left, right] }) => {
  const type = left?.type;
  if (type === undefined || type.name !== right?.type?.name) return undefined;
  if (type.kind === 'opaque' && type.name.startsWith('net.')) return { cost: ONE };
  if (type.kind !== 'struct') return undefined;
  if (CHEAP_STRUCTS.has(type.name)) return { cost: ONE };
  if (type.name === 'kubernetes.NamedFormat') return { cost: traversal({ min: 1n, max: FORMAT_NAME }) };
  if (type.name !== 'kubernetes.URL') return undefined;
  return { cost: traversal({ min: 1n, max: right.size?.max ?? 1n }) };
};

const COSTS: ReadonlyMap<string, Costing> = new Map([
  ['check', () => ({ cost: fixed(CHECK) })],
  ...named(nominal, [
    ...[
      'serviceAccount',
      'path',
      'group',
      'resource',
      'subresource',
      'namespace',
      'name',
      'allowed',
      'reason',
    ],
    ...[
      'error',
      'errored',
      'masked',
      'prefixLength',
      'family',
      'isUnspecified',
      'isLoopback',
      'format.named',
    ],
    ...['isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'sign', 'asInteger', 'isInteger'],
    ...[
      'asApproximateFloat',
      'isGreaterThan',
      'isLessThan',
      'compareTo',
      'add',
      'sub',
      'major',
      'minor',
      'patch',
    ],
    ...['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'],
  ]),
  ...named(selector, ['fieldSelector', 'labelSelector']),
  ...named(comparesElements, ['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']),
  ...named(scansTarget, ['lowerAscii', 'upperAscii', 'substring', 'trim']),
  ...named(scansArgument, ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver']),
  ...named(find, ['find', 'findAll']),
  [
    'url',
    ({ args, sizeOf: known }) => ({ cost: traversal(sizeOf(args[0], known)), size: sizeOf(args[0], known) }),
  ],
  ['sets.contains', setCost(1)],
  ['sets.intersects', setCost(1)],
  ['sets.equivalent', setCost(2)],
  ['replace', replace],
  ['split', split],
  ['join', join],
  ['ip', (call) => (call.args.length === 0 ? { cost: ONE } : scansArgument(call))],
  [
    'ip.isCanonical',
    ({ args, sizeOf: known }) => ({ cost: scale(sizeOf(args[0], known), 2 * PER_CHARACTER) }),
  ],
  ['containsIP', (call) => addressCost(call, NOTHING)],
  ['containsCIDR', (call) => addressCost(call, add(traversal(ADDRESS), ONE))],
  ['validate', validate],
  ['_==_', equality],
] satisfies [string, Costing][]);

function named(costing: Costing, names: readonly string[]): [string, Costing][] {
  return names.map((name) => [name, costing]);
}

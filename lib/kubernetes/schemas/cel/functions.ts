import { isIP } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import { quantityNanos } from '../../../quantities/index.ts';
import type { Patterns } from '../patterns.ts';
import type { Budget } from './budget.ts';

/** Functions that behave in the library as in Kubernetes. */
const OF_THE_LIBRARY = [
  ...['has', 'all', 'exists', 'exists_one', 'map', 'filter'],
  ...['size', 'string', 'int', 'double', 'bool', 'dyn', 'type', 'timestamp'],
  ...['startsWith', 'endsWith', 'contains'],
  ...['hasValue', 'value', 'orValue', 'or', 'of', 'none'],
];

/**
 * Functions that Winnow implements, with their names in rules and in the environment. Some behave differently in the
 * library, which counts UTF-16 units and matches JavaScript's regular expressions. Others exist only in Kubernetes.
 */
const OURS: ReadonlyMap<string, string> = new Map(
  [
    ...['matches', 'lowerAscii', 'upperAscii', 'indexOf', 'lastIndexOf', 'charAt', 'substring', 'replace'],
    ...['split', 'join', 'trim', 'sum', 'min', 'max', 'isSorted', 'isQuantity', 'quantity', 'compareTo'],
    ...['isLessThan', 'isGreaterThan', 'isIP', 'ip', 'family', 'isCIDR', 'isURL'],
  ].map((name) => [name, `kubernetes_${name}`]),
);

/** The functions that a rule may call. If a rule calls another one, the write of its definition is refused. */
export const ACCEPTED_FUNCTIONS: ReadonlySet<string> = new Set([...OF_THE_LIBRARY, ...OURS.keys()]);

/** Returns the name of an accepted function in the environment. */
export function nameInEnvironment(name: string): string {
  return OURS.get(name) ?? name;
}

class Quantity {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

class Address {
  readonly family: bigint;

  constructor(family: number) {
    this.family = BigInt(family);
  }
}

/**
 * The function around the range of a comprehension, which pays before the iteration starts:
 * `kubernetes_metered(list)`.
 */
export const METERED = 'kubernetes_metered';

/** The replacement of `has` for type checks. */
export const DECLARED = 'kubernetes_declared';

/** Adds Winnow's functions to an environment. */
export function registerFunctions(environment: Environment, patterns: Patterns, budget: Budget): void {
  const add = <Arguments extends readonly unknown[]>(
    signature: string,
    run: (...values: Arguments) => unknown,
  ) => {
    environment.registerFunction(signature.replace(/\w+(?=\()/, nameInEnvironment), run);
  };
  environment.registerFunction(`${METERED}(A): A`, (value: unknown) => budget.pay(value));
  environment.registerFunction(`${DECLARED}(dyn): bool`, () => true);
  add('string.matches(string): bool', (text: string, pattern: string) => patterns.test(pattern)(text));
  registerTexts(add);
  registerBuilders(add, budget);
  registerLists(add);
  environment.registerType('kubernetes.Quantity', Quantity).registerType('kubernetes.IP', Address);
  registerQuantities(add);
  add('isIP(string): bool', (text: string) => isIP(text) !== 0);
  add('ip(string): kubernetes.IP', (text: string) => {
    if (isIP(text) === 0) throw new Error(`IP Address "${text}" parse error during conversion from string`);
    return new Address(isIP(text));
  });
  add('kubernetes.IP.family(): int', (address: Address) => address.family);
  add('isCIDR(string): bool', isCidr);
  add('isURL(string): bool', (text: string) => URL.canParse(text) || /^\/[^\s]*$/.test(text));
}

type Add = <Arguments extends readonly unknown[]>(
  signature: string,
  run: (...values: Arguments) => unknown,
) => void;

/** Registers functions of texts. Positions count characters, not UTF-16 units. */
function registerTexts(add: Add): void {
  add('string.lowerAscii(): string', (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()));
  add('string.upperAscii(): string', (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()));
  add('string.trim(): string', (text: string) => text.trim());
  add('string.charAt(int): string', (text: string, at: bigint) => {
    const characters = [...text];
    if (at < 0n || at > BigInt(characters.length)) throw new Error(`index out of range: ${at}`);
    return characters[Number(at)] ?? '';
  });
  add('string.substring(int): string', (text: string, from: bigint) => slice(text, from));
  add('string.substring(int, int): string', slice);
  add('string.indexOf(string): int', (text: string, part: string) => position(text, text.indexOf(part)));
  add('string.lastIndexOf(string): int', (text: string, part: string) =>
    position(text, text.lastIndexOf(part)),
  );
}

/** Registers functions whose result can be many times longer than their input. They pay before they build it. */
function registerBuilders(add: Add, budget: Budget): void {
  add('string.replace(string, string): string', (text: string, old: string, by: string) => {
    const pieces = split(text, old, budget);
    budget.spendText(text.length + pieces.length * by.length);
    return pieces.join(by);
  });
  add('string.split(string): list<string>', (text: string, by: string) => split(text, by, budget));
  const join = (texts: readonly string[], by: string) => {
    budget.spendText(texts.reduce((total, { length }) => total + length + by.length, 0));
    return texts.join(by);
  };
  add('list<string>.join(): string', (texts: readonly string[]) => join(texts, ''));
  add('list<string>.join(string): string', join);
}

function split(text: string, by: string, budget: Budget): string[] {
  budget.spend(by === '' ? text.length : 1);
  const pieces = by === '' ? [...text] : text.split(by, budget.left + 1);
  budget.spend(pieces.length);
  return pieces;
}

function slice(text: string, from: bigint, to?: bigint): string {
  const characters = [...text];
  const end = to ?? BigInt(characters.length);
  if (from < 0n || from > end || end > BigInt(characters.length)) {
    throw new Error(`index out of range: ${from < 0n ? from : end}`);
  }
  return characters.slice(Number(from), Number(end)).join('');
}

function position(text: string, unit: number): bigint {
  return unit === -1 ? -1n : BigInt([...text.slice(0, unit)].length);
}

function registerLists(add: Add): void {
  for (const [type, zero] of [['int', 0n] as const, ['double', 0] as const]) {
    add(`list<${type}>.sum(): ${type}`, (values: readonly (bigint | number)[]) =>
      values.reduce((total, value) => plus(total, value), zero),
    );
  }
  for (const type of ['int', 'double', 'string', 'bool']) {
    add(`list<${type}>.min(): ${type}`, (values: readonly (string | number)[]) =>
      extreme(values, 'min', (value, best) => value < best),
    );
    add(`list<${type}>.max(): ${type}`, (values: readonly (string | number)[]) =>
      extreme(values, 'max', (value, best) => value > best),
    );
    add(`list<${type}>.isSorted(): bool`, (values: readonly (string | number)[]) =>
      values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value),
    );
    add(`list<${type}>.indexOf(${type}): int`, (values: readonly unknown[], value: unknown) =>
      BigInt(values.indexOf(value)),
    );
    add(`list<${type}>.lastIndexOf(${type}): int`, (values: readonly unknown[], value: unknown) =>
      BigInt(values.lastIndexOf(value)),
    );
  }
}

function plus(total: bigint | number, value: bigint | number): bigint | number {
  if (typeof total === 'number') return total + Number(value);
  const sum = total + BigInt(value);
  if (BigInt.asIntN(64, sum) !== sum) throw new Error('integer overflow');
  return sum;
}

function extreme<Value>(
  values: readonly Value[],
  name: string,
  better: (value: Value, best: Value) => boolean,
): Value {
  const [first, ...rest] = values;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, value) => (better(value, best) ? value : best), first);
}

function registerQuantities(add: Add): void {
  add('isQuantity(string): bool', (text: string) => quantityNanos(text) !== undefined);
  add('quantity(string): kubernetes.Quantity', (text: string) => {
    const nanos = quantityNanos(text);
    if (nanos === undefined) throw new Error('quantities must match the regular expression of a quantity');
    return new Quantity(nanos);
  });
  const pair = 'kubernetes.Quantity';
  add(`${pair}.compareTo(${pair}): int`, (one: Quantity, other: Quantity) => {
    if (one.nanos === other.nanos) return 0n;
    return one.nanos < other.nanos ? -1n : 1n;
  });
  add(`${pair}.isLessThan(${pair}): bool`, (one: Quantity, other: Quantity) => one.nanos < other.nanos);
  add(`${pair}.isGreaterThan(${pair}): bool`, (one: Quantity, other: Quantity) => one.nanos > other.nanos);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  return more === undefined && isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

import { type Implementations, typed } from '../functions/index.ts';
import { CelError, compareTexts, NO_OVERLOAD, OpaqueValue, type Value } from '../values/index.ts';
import { quoteLikeGo } from './go-text.ts';

/** A version by semver.org. Its build has no order. */
class Version extends OpaqueValue {
  override readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  /** The parts of the pre-release: numbers and names. */
  readonly pre: readonly (bigint | string)[];

  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly (bigint | string)[]) {
    super();
    this.numbers = numbers;
    this.pre = pre;
  }

  override get isHashable(): boolean {
    return false;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof Version ? order(this, other) === 0 : NO_OVERLOAD;
  }
}

/** Functions of versions, by overload id. */
export const VERSIONS: Implementations = {
  string_to_semver: typed((_, text: string) => versionOf(text)),
  string_bool_to_semver: typed((_, text: string, loose: boolean) =>
    versionOf(loose ? normalized(text) : text),
  ),
  is_semver_string: typed((_, text: string) => versionOf(text) instanceof Version),
  is_semver_string_bool: typed(
    (_, text: string, loose: boolean) => versionOf(loose ? normalized(text) : text) instanceof Version,
  ),
  semver_is_greater_than: typed((_, one: Version, other: Version) => order(one, other) > 0),
  semver_is_less_than: typed((_, one: Version, other: Version) => order(one, other) < 0),
  semver_compare_to: typed((_, one: Version, other: Version) => BigInt(order(one, other))),
  semver_major: typed((_, { numbers }: Version) => BigInt.asIntN(64, numbers[0])),
  semver_minor: typed((_, { numbers }: Version) => BigInt.asIntN(64, numbers[1])),
  semver_patch: typed((_, { numbers }: Version) => BigInt.asIntN(64, numbers[2])),
};

/** The most characters of a version. Longer texts are none. */
const LONGEST = 10_000;

function versionOf(text: string): Version | CelError {
  if (text === '') return new CelError('Version string empty');
  if (text.length > LONGEST) return new CelError('Version string too long');
  const [major = '', minor, ...rest] = text.split('.');
  if (minor === undefined || rest.length === 0) return new CelError('No Major.Minor.Patch elements found');
  const [beforeBuild = '', ...builds] = rest.join('.').split('+');
  const [patch = '', ...pres] = beforeBuild.split('-');
  const numbers: bigint[] = [];
  for (const [name, digits] of [
    ['Major', major] as const,
    ['Minor', minor] as const,
    ['Patch', patch] as const,
  ]) {
    const number = numberOf(name, digits);
    if (number instanceof CelError) return number;
    numbers.push(number);
  }
  const names: (bigint | string)[] = [];
  for (const part of pres.length === 0 ? [] : pres.join('-').split('.')) {
    const name = nameOf(part);
    if (name instanceof CelError) return name;
    names.push(name);
  }
  const wrong =
    builds.length === 0
      ? undefined
      : builds
          .join('+')
          .split('.')
          .find((part) => !/^[\dA-Za-z-]+$/.test(part));
  if (wrong === '') return new CelError('Build meta data is empty');
  if (wrong !== undefined) return invalid('build meta data', wrong);
  return new Version([numbers[0] ?? 0n, numbers[1] ?? 0n, numbers[2] ?? 0n], names);
}

function invalid(what: string, text: string): CelError {
  return new CelError(`Invalid character(s) found in ${what} ${quoteLikeGo(text)}`);
}

function numberOf(name: string, digits: string): bigint | CelError {
  if (!/^\d*$/.test(digits)) return invalid(`${name.toLowerCase()} number`, digits);
  if (/^0\d/.test(digits)) {
    return new CelError(`${name} number must not contain leading zeroes ${quoteLikeGo(digits)}`);
  }
  return uint64Of(digits);
}

function uint64Of(digits: string): bigint | CelError {
  const parse = `strconv.ParseUint: parsing ${quoteLikeGo(digits)}: `;
  if (digits === '') return new CelError(`${parse}invalid syntax`);
  const number = BigInt(digits);
  return BigInt.asUintN(64, number) === number ? number : new CelError(`${parse}value out of range`);
}

function nameOf(name: string): bigint | string | CelError {
  if (name === '') return new CelError('Prerelease is empty');
  if (!/^[\dA-Za-z-]+$/.test(name)) return invalid('prerelease', name);
  if (!/^\d+$/.test(name)) return name;
  if (!/^0\d/.test(name)) return uint64Of(name);
  return new CelError(`Numeric PreRelease version must not contain leading zeroes ${quoteLikeGo(name)}`);
}

/** Removes a `v` and leading zeros, and adds missing numbers. Returns an empty text where this is not possible. */
function normalized(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [
    major,
    ...(minor === undefined ? [] : [minor]),
    ...(rest.length === 0 ? [] : [rest.join('.')]),
  ];
  const plain = parts.map((part) => (part.length > 1 ? withoutZeros(part) : part));
  if (plain.length < 3 && /[+-]/.test(plain.at(-1) ?? '')) return '';
  while (plain.length < 3) plain.push('0');
  return plain.join('.');
}

/** Removes leading zeros. A part that does not begin with a digit then gets one zero. */
function withoutZeros(part: string): string {
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

function order(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const against = other.numbers[at] ?? 0n;
    if (number !== against) return number > against ? 1 : -1;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return Math.sign(other.pre.length - one.pre.length);
  for (const [at, name] of one.pre.entries()) {
    const against = other.pre[at];
    if (against === undefined) return 1;
    const difference = orderNames(name, against);
    if (difference !== 0) return difference;
  }
  return Math.sign(one.pre.length - other.pre.length);
}

/** Numbers sort before names. */
function orderNames(one: bigint | string, other: bigint | string): number {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one === other ? 0 : one > other ? 1 : -1;
  if (typeof one === 'string' && typeof other === 'string') return Math.sign(compareTexts(one, other));
  return typeof one === 'bigint' ? -1 : 1;
}

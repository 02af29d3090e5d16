import { QUANTITY_PATTERN } from '../../quantities/index.ts';
import { type Implementations, typed } from '../functions/index.ts';
import { CelError, NO_OVERLOAD, OpaqueValue, type Value } from '../values/index.ts';

/** A quantity: `value` times ten to the power of `scale`. */
class Quantity extends OpaqueValue {
  override readonly typeName = 'kubernetes.Quantity';
  readonly value: bigint;
  readonly scale: number;
  /** True if Kubernetes holds it in 64 bits. Only then it may count as an integer. */
  readonly isSmall: boolean;
  /** True for a sum. kube-apiserver fails to compare another quantity with it. */
  readonly isSum: boolean;

  constructor(value: bigint, scale: number, isSmall: boolean, isSum = false) {
    super();
    this.isSum = isSum;
    this.value = value;
    this.scale = scale;
    this.isSmall = isSmall;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof Quantity && !other.isSum ? order(this, other) === 0 : NO_OVERLOAD;
  }
}

/** Functions of quantities, by overload id. */
export const QUANTITIES: Implementations = {
  string_to_quantity: typed((_, text: string) => quantityOf(text)),
  is_quantity_string: typed((_, text: string) => quantityOf(text) instanceof Quantity),
  quantity_sign: typed((_, { value }: Quantity) => BigInt(signOf(value))),
  quantity_is_greater_than: typed((_, one: Quantity, other: Quantity) => order(one, other) > 0),
  quantity_is_less_than: typed((_, one: Quantity, other: Quantity) => order(one, other) < 0),
  quantity_compare_to: typed((_, one: Quantity, other: Quantity) => BigInt(order(one, other))),
  quantity_get_float: typed((_, { value, scale }: Quantity) => Number(value) * Number(`1e${scale}`)),
  quantity_get_int: typed(
    (_, quantity: Quantity) => integerOf(quantity) ?? new CelError('cannot convert value to integer'),
  ),
  quantity_is_integer: typed((_, quantity: Quantity) => integerOf(quantity) !== undefined),
  quantity_add: typed((_, one: Quantity, other: Quantity) => sum(one, other)),
  quantity_add_int: typed((_, one: Quantity, other: bigint) => sum(one, new Quantity(other, 0, true))),
  quantity_sub: typed((_, one: Quantity, other: Quantity) => sum(one, other, -1n)),
  quantity_sub_int: typed((_, one: Quantity, other: bigint) => sum(one, new Quantity(other, 0, true), -1n)),
};

const FORM = /^([+-]?)(\d*)(\.(\d*))?([eE][+-]?\d+|[KMGTPE]i|[numkMGTPE]?)$/;
const DECIMAL: ReadonlyMap<string, number> = new Map([
  ...[['n', -9] as const, ['u', -6] as const, ['m', -3] as const, ['', 0] as const, ['k', 3] as const],
  ...[['M', 6] as const, ['G', 9] as const, ['T', 12] as const, ['P', 15] as const, ['E', 18] as const],
]);
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** The most digits of a quantity, and the largest exponent. Kubernetes has no such limits, and computes for hours. */
const MOST_DIGITS = 10_000;
const MOST_EXPONENT = 1000;
const SMALL_DIGITS = 18;
const NANO = -9;
const LARGEST = (1n << 63n) - 1n;

function quantityOf(text: string): Quantity | CelError {
  const parts = text.length > MOST_DIGITS ? null : FORM.exec(text);
  const [, sign = '', whole = '', , fraction = '', suffix = ''] = parts ?? [];
  // A sign or a suffix alone is zero, as in Kubernetes.
  if (parts === null || text === '') {
    return new CelError(`quantities must match the regular expression '${QUANTITY_PATTERN}'`);
  }
  const power = BINARY.indexOf(suffix);
  const quantity =
    power > 0 ? binaryOf(whole, fraction, power * 10) : decimalOf(whole, fraction, exponentOf(suffix));
  return sign === '-' && quantity instanceof Quantity ? negative(quantity) : quantity;
}

function exponentOf(suffix: string): number {
  return DECIMAL.get(suffix) ?? Number(suffix.slice(1));
}

const NO_NUMBER = new CelError('unable to parse numeric part of quantity');

function decimalOf(whole: string, fraction: string, exponent: number): Quantity | CelError {
  if (Math.abs(exponent) > MOST_EXPONENT) return new CelError("unable to parse quantity's suffix");
  const digits = whole.replace(/^0+/, '');
  const scale = exponent - fraction.length;
  const isSmall = Math.max(digits.length, 1) + fraction.length <= SMALL_DIGITS && scale >= NANO;
  if (!isSmall && whole + fraction === '') return NO_NUMBER;
  return rounded(BigInt(digits + fraction || 0), scale, isSmall);
}

function binaryOf(whole: string, fraction: string, power: number): Quantity | CelError {
  const digits = whole.replace(/^0+/, '');
  const value = BigInt(digits + fraction || 0) << BigInt(power);
  const room = 15 - Math.max(digits.length, 1) - Math.trunc((power * 3) / 10) - 1;
  const isSmall = fraction === '' && room >= 0;
  if (!isSmall && whole + fraction === '') return NO_NUMBER;
  const quantity = rounded(value, -fraction.length, isSmall);
  const most = new Quantity(LARGEST, 0, false);
  return order(quantity, most) > 0 ? most : quantity;
}

/** Rounds up what is smaller than a billionth. Larger quantities than 64 bits have exactly nine decimals. */
function rounded(value: bigint, scale: number, isSmall: boolean): Quantity {
  if (isSmall || value === 0n) return new Quantity(value, scale, isSmall);
  if (scale >= NANO) return new Quantity(value * 10n ** BigInt(scale - NANO), NANO, false);
  const by = 10n ** BigInt(NANO - scale);
  return new Quantity((value + by - 1n) / by, NANO, false);
}

function negative({ value, scale, isSmall }: Quantity): Quantity {
  return new Quantity(-value, scale, isSmall);
}

function signOf(value: bigint): number {
  return value === 0n ? 0 : value > 0n ? 1 : -1;
}

/** Compares two quantities. Their magnitudes decide first, because their exponents may differ much. */
function order(one: Quantity, other: Quantity): number {
  const [sign, otherSign] = [signOf(one.value), signOf(other.value)];
  if (sign !== otherSign || sign === 0) return Math.sign(sign - otherSign);
  const difference = magnitude(one) - magnitude(other);
  if (difference !== 0) return Math.sign(difference) * sign;
  const scale = Math.min(one.scale, other.scale);
  return signOf(scaled(one, scale) - scaled(other, scale));
}

/** Returns the place of the first digit. */
function magnitude({ value, scale }: Quantity): number {
  return String(value < 0n ? -value : value).length + scale;
}

function scaled({ value, scale }: Quantity, to: number): bigint {
  return value * 10n ** BigInt(scale - to);
}

function fits(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Adds a quantity, or subtracts it with the sign -1. */
function sum(one: Quantity, other: Quantity, sign = 1n): Quantity {
  const { value, scale, isSmall } = smallSum(one, other, sign) ?? exactSum(one, other, sign);
  return new Quantity(value, scale, isSmall, true);
}

/** Adds within 64 bits, in which the smallest integer is its own negative. Undefined if the sum needs more bits. */
function smallSum(one: Quantity, other: Quantity, sign: bigint): Quantity | undefined {
  if (!one.isSmall || !other.isSmall) return undefined;
  if (other.value === 0n) return one;
  const added = new Quantity(BigInt.asIntN(64, other.value * sign), other.scale, true);
  if (one.value === 0n) return added;
  const scale = Math.min(one.scale, other.scale);
  const [left, right] = [scaled(one, scale), scaled(added, scale)];
  const isSmall = fits(left) && fits(right) && fits(left + right);
  return isSmall ? new Quantity(left + right, scale, true) : undefined;
}

function exactSum(one: Quantity, other: Quantity, sign: bigint): Quantity {
  const scale = Math.min(one.scale, other.scale);
  return new Quantity(scaled(one, scale) + scaled(other, scale) * sign, scale, false);
}

/** Returns the value as an int; undefined where Kubernetes does not see one. */
function integerOf({ value, scale, isSmall }: Quantity): bigint | undefined {
  if (!isSmall || scale < 0) return undefined;
  const whole = scale > 18 ? undefined : value * 10n ** BigInt(scale);
  return whole !== undefined && fits(whole) ? whole : undefined;
}

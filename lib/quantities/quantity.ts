/**
 * Quantities as Kubernetes reads and writes them: `1.5Gi` is `1536Mi`, `1000m` is `1`. A part below a billionth
 * (nano) is rounded away from zero.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

/** The pattern of a quantity, as Kubernetes' messages quote it. */
export const QUANTITY_PATTERN = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d{1,3})|([KMGTPE]i)|([numkMGTPE]?))$/;

/** The most digits after the decimal point; the rest is rounded. */
const NANO = 9;
const DECIMAL: readonly (readonly [suffix: string, exponent: number])[] = [
  ['E', 18],
  ['P', 15],
  ['T', 12],
  ['G', 9],
  ['M', 6],
  ['k', 3],
  ['', 0],
  ['m', -3],
  ['u', -6],
  ['n', -9],
];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const LARGEST = (1n << 63n) - 1n;

/** The number of digits of the largest quantity. */
const MOST_DIGITS = 19;
/**
 * The number of digits after the decimal point that can affect a billionth, with an exponent of 999 or a binary
 * suffix.
 */
const MOST_FRACTION = 1_100;

type Notation = 'decimal' | 'exponent' | 'binary';

/** Returns the canonical text of a quantity; undefined for text that is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const read = readQuantity(text);
  return read === undefined ? undefined : print(read.nanos, read.notation);
}

/** Returns a quantity in billionths, to compare it with others; undefined for text that is no quantity. */
export function quantityNanos(text: string): bigint | undefined {
  return readQuantity(text)?.nanos;
}

/** Returns the canonical text of an amount in billionths, in the notation of another quantity. */
export function quantityText(nanos: bigint, like: string): string {
  return print(nanos, readQuantity(like)?.notation ?? 'decimal');
}

function readQuantity(text: string): { nanos: bigint; notation: Notation } | undefined {
  const parts = FORM.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', power, binary, decimal = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const factor = factorOf({ power, binary, decimal });
  const magnitude = nanosOf(whole, fraction, factor);
  const notation = power !== undefined ? 'exponent' : binary !== undefined ? 'binary' : 'decimal';
  return { nanos: sign === '-' ? -magnitude : magnitude, notation };
}

interface Factor {
  readonly base: bigint;
  /** The power of ten, in addition to the base. */
  readonly exponent: number;
}

function factorOf(suffix: {
  power?: string | undefined;
  binary?: string | undefined;
  decimal: string;
}): Factor {
  if (suffix.power !== undefined) return { base: 1n, exponent: Number(suffix.power.slice(1)) };
  if (suffix.binary !== undefined) {
    return { base: 1n << BigInt(10 * BINARY.indexOf(suffix.binary)), exponent: 0 };
  }
  return { base: 1n, exponent: DECIMAL.find(([one]) => one === suffix.decimal)?.[1] ?? 0 };
}

/** Reads only the digits that affect the result. A number of a megabyte would take a second to compute. */
function nanosOf(whole: string, fraction: string, { base, exponent }: Factor): bigint {
  const most = LARGEST * 10n ** BigInt(NANO);
  const before = whole.replace(/^0+/, '');
  if (before.length + Math.min(exponent, 0) > MOST_DIGITS) return most;
  const behind = shortened(fraction);
  const value = BigInt(before + behind) * base;
  const shift = NANO + exponent - behind.length;
  const nanos = shift >= 0 ? value * 10n ** BigInt(shift) : divideUp(value, 10n ** BigInt(-shift));
  return nanos > most ? most : nanos;
}

/** Shortens a fraction. Of the digits beyond the limit it only matters whether one is not zero. */
function shortened(fraction: string): string {
  if (fraction.length <= MOST_FRACTION) return fraction;
  const rest = /[1-9]/.test(fraction.slice(MOST_FRACTION)) ? '1' : '';
  return fraction.slice(0, MOST_FRACTION) + rest;
}

function print(nanos: bigint, notation: Notation): string {
  if (nanos === 0n) return '0';
  const unit = 10n ** BigInt(NANO);
  const small = nanos > -1024n * unit && nanos < 1024n * unit;
  if (notation === 'binary' && !small && nanos % unit === 0n) return printBinary(nanos / unit);
  return printDecimal(nanos, notation === 'exponent');
}

function printBinary(value: bigint): string {
  let rest = value;
  let power = 0;
  while (rest % 1024n === 0n && power < BINARY.length - 1) {
    rest /= 1024n;
    power += 1;
  }
  return `${rest}${BINARY[power]}`;
}

function printDecimal(nanos: bigint, asExponent: boolean): string {
  const [suffix, exponent] = DECIMAL.find(([, one]) => nanos % 10n ** BigInt(NANO + one) === 0n) ?? [
    'n',
    -NANO,
  ];
  const mantissa = nanos / 10n ** BigInt(NANO + exponent);
  if (!asExponent) return `${mantissa}${suffix}`;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

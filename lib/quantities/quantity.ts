/**
 * Quantities as Kubernetes reads and writes them: `1.5Gi` is `1536Mi`, `1000m` is `1`. A part below a billionth
 * (nano) is rounded away from zero.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

/** What a text has to match, in Kubernetes' words. */
export const QUANTITY_PATTERN = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d{1,3})|([KMGTPE]i)|([numkMGTPE]?))$/;

/** Digits behind the point that are kept. */
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

/** Digits of the largest quantity. */
const MOST_DIGITS = 19;
/** Digits behind the point on which a billionth depends, with an exponent of 999 or a binary suffix. */
const MOST_FRACTION = 1_100;

type Notation = 'decimal' | 'exponent' | 'binary';

/** The canonical text of a quantity; undefined where the text is none. */
export function canonicalQuantity(text: string): string | undefined {
  const read = readQuantity(text);
  return read === undefined ? undefined : print(read.nanos, read.notation);
}

/** A quantity in billionths, to compare it with others; undefined where the text is none. */
export function quantityNanos(text: string): bigint | undefined {
  return readQuantity(text)?.nanos;
}

/** The canonical text of an amount in billionths, in the notation of another quantity. */
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
  /** Of ten, on top of the base. */
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

/** Numbers of a megabyte would take a second to compute. Only as many digits are read as the result depends on. */
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

/** What no digit of the result depends on is only more than nothing, or nothing. */
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

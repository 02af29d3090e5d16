import { CelError, Duration, Timestamp } from './value.ts';

export const SECOND = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

export const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');
export const INT_OVERFLOW = new CelError('integer overflow');

/** RFC 3339 as Go's time.Parse accepts it: an hour may have one digit, and a comma may precede the fraction. */
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the timestamp, if it is within the years 1 to 9999. */
export function timestampOf(nanos: bigint, offset = 0): Timestamp | CelError {
  const seconds = floorDivide(nanos, SECOND);
  const isValid = seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
  return isValid ? new Timestamp(nanos, offset) : TIMESTAMP_OVERFLOW;
}

/** Reads a text in RFC 3339; undefined if it is none. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  if (text.length > 200) return undefined;
  const parts = MOMENT.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [, , , , , , , fraction = '', sign = '+', zoneHour = '0', zoneMinute = '0'] = parts;
  if (Number(zoneHour) > 24 || Number(zoneMinute) > 60) return undefined;
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -60 : 60);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const nanos = BigInt(date.getTime()) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return timestampOf(nanos - BigInt(offset) * SECOND, offset);
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0);
}

/** Returns the timestamp in RFC 3339 in its own zone, with as many digits of a second as it needs. */
export function timestampText({ nanos, offset }: Timestamp): string {
  const fraction = floorRest(nanos, SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  const shown = dateOf(nanos, offset).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const zone = [Math.floor(size / 3600), Math.floor(size / 60) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const suffix = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${zone.join(':')}`;
  return `${shown}${fraction === '' ? '' : `.${fraction}`}${suffix}`;
}

/** Returns a date whose UTC fields are those of the moment in a zone. */
export function dateOf(nanos: bigint, offset: number): Date {
  return new Date(Number(floorDivide(nanos, 1_000_000n)) + offset * 1000);
}

export function floorDivide(value: bigint, by: bigint): bigint {
  return (value - floorRest(value, by)) / by;
}

function floorRest(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3600n * SECOND],
]);

const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const MOST = 1n << 63n;

/** Reads a duration as Go writes it (`1h30m`, `-1.5s`); undefined if the text is none or too long a time. */
export function parseDuration(text: string): Duration | undefined {
  const sign = text.startsWith('-') ? -1n : 1n;
  const rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return new Duration(0n);
  if (rest === '' || rest.length > 1000) return undefined;
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < rest.length) {
    const found = PART.exec(rest);
    if (found === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = found;
    if (whole === '' && fraction === '') return undefined;
    total += partOf(whole, fraction, UNITS.get(unit) ?? 1n);
    if (total > MOST) return undefined;
  }
  const nanos = total * sign;
  return nanos === MOST ? undefined : new Duration(nanos);
}

/** Computes the fraction with doubles, as Go does. */
function partOf(whole: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18);
  const part = Number(digits === '' ? 0 : digits) * (Number(unit) / 10 ** digits.length);
  return BigInt(whole === '' ? 0 : whole) * unit + BigInt(Math.trunc(part));
}

/** Returns the duration in seconds: `90s`, `0.0015s`. */
export function durationText({ nanos }: Duration): string {
  return `${decimalText(Number(nanos / SECOND) + Number(nanos % SECOND) / 1e9)}s`;
}

/** Returns the shortest text of a finite double without an exponent. */
export function decimalText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = '', first = '', rest = '', power = ''] = parts;
  const exponent = Number(power);
  const digits = first + rest;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}

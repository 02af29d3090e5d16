import { CelError, type Duration, dateOf, SECOND, type Timestamp, type Value } from '../values/index.ts';
import { type Implementations, typed } from './implementation.ts';

type Part = (date: Date) => number;

const PARTS: Readonly<Record<string, Part>> = {
  year: (date) => date.getUTCFullYear(),
  month: (date) => date.getUTCMonth(),
  day_of_year: dayOfYear,
  day_of_month: (date) => date.getUTCDate() - 1,
  day_of_month_1_based: (date) => date.getUTCDate(),
  day_of_week: (date) => date.getUTCDay(),
  hours: (date) => date.getUTCHours(),
  minutes: (date) => date.getUTCMinutes(),
  seconds: (date) => date.getUTCSeconds(),
  milliseconds: (date) => date.getUTCMilliseconds(),
};

/** The steps for looking up a zone. */
const ZONE = 50;

/** The overload whose id differs from the others. */
const SECONDS_IN_ZONE = 'timestamp_to_seconds_tz';

/** The parts of moments and durations, by overload id. A moment without a zone is in UTC. */
export const TIMES: Implementations = {
  ...Object.fromEntries(
    Object.entries(PARTS).flatMap(([name, part]) => [
      [`timestamp_to_${name}`, typed((_, { nanos }: Timestamp) => BigInt(part(dateOf(nanos, 0))))],
      [
        name === 'seconds' ? SECONDS_IN_ZONE : `timestamp_to_${name}_with_tz`,
        typed(({ meter }, moment: Timestamp, zone: string) => {
          meter.work(ZONE);
          return inZone(moment, zone, part);
        }),
      ],
    ]),
  ),
  duration_to_hours: typed((_, { nanos }: Duration) => nanos / (3600n * SECOND)),
  duration_to_minutes: typed((_, { nanos }: Duration) => nanos / (60n * SECOND)),
  duration_to_seconds: typed((_, { nanos }: Duration) => nanos / SECOND),
  duration_to_milliseconds: typed((_, { nanos }: Duration) => nanos / 1_000_000n),
};

function dayOfYear(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - first.getTime()) / 86_400_000);
}

function inZone({ nanos }: Timestamp, zone: string, part: Part): Value {
  const offset = offsetOf(nanos, zone);
  return offset instanceof CelError ? offset : BigInt(part(dateOf(nanos, offset)));
}

/** Returns the offset of a zone in seconds: of `+02:00`, or of a name in the time zone database. */
function offsetOf(nanos: bigint, zone: string): number | CelError {
  const at = zone.indexOf(':');
  if (at === -1) return namedOffset(nanos, zone);
  const [hours, minutes] = [zone.slice(0, at), zone.slice(at + 1)];
  const wrong = [hours, minutes].find((part) => !/^[+-]?\d{1,9}$/.test(part));
  if (wrong !== undefined) {
    return new CelError(`strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`);
  }
  const size = Number(hours) * 60;
  return (zone.startsWith('-') ? size - Number(minutes) : size + Number(minutes)) * 60;
}

function namedOffset(nanos: bigint, zone: string): number | CelError {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const unknown = new CelError(`unknown time zone ${zone}`);
  if (!/^[A-Z][A-Za-z0-9_+/-]{0,99}$/.test(zone)) return unknown;
  try {
    return offsetIn(zone, dateOf(nanos, 0));
  } catch {
    return unknown;
  }
}

/** The formats of the zones that were asked last. Each takes some time to make. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 100;

/** @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (FORMATS.size >= MOST_FORMATS) FORMATS.clear();
  FORMATS.set(zone, format);
  return format;
}

/** @throws RangeError for an unknown zone */
function offsetIn(zone: string, date: Date): number {
  const format = formatOf(zone);
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const field = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name) ?? 0);
  const local = new Date(0);
  local.setUTCFullYear(field('year'), field('month') - 1, field('day'));
  local.setUTCHours(field('hour'), field('minute'), field('second'));
  return Math.floor(local.getTime() / 1000) - Math.floor(date.getTime() / 1000);
}

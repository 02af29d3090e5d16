import type { JsonValue } from '../../../json/index.ts';
import { invalid } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere } from '../reading.ts';

interface Part {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** The parts of a schedule: minute, hour, day of the month, month, day of the week. */
const PARTS: readonly Part[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];
const EVERY = /^@every [-+]?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/;
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/**
 * Checks the schedule of a CronJob: five parts, as github.com/robfig/cron parses them. A time zone is allowed only if
 * the old schedule has one.
 */
export function* isSchedule(
  path: string,
  { schedule, old, timeZone }: { schedule: string; old: string; timeZone: JsonValue | undefined },
): Errors {
  const error = scheduleError(schedule.replace(/^(CRON_)?TZ=\S* ?/, ''));
  if (error !== undefined) yield invalid(path, schedule, error);
  if (!schedule.includes('TZ')) return;
  if (!old.includes('TZ')) {
    yield invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (isThere(timeZone)) {
    yield invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

export function* timeZone(path: string, zone: string): Errors {
  if (zone === '') {
    yield invalid(path, zone, 'timeZone must be nil or non-empty string');
    return;
  }
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    yield invalid(path, zone, detail);
    return;
  }
  if (!isZone(zone)) yield invalid(path, zone, `unknown time zone ${zone}`);
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

function scheduleError(text: string): string | undefined {
  if (text.startsWith('@')) return descriptorError(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== PARTS.length) {
    return `expected exactly ${PARTS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [at, part] of PARTS.entries()) {
    for (const range of (fields[at] ?? '').split(',').filter((one) => one !== '')) {
      const error = rangeError(range, part);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (DESCRIPTORS.includes(text) || EVERY.test(text)) return undefined;
  return text.startsWith('@every ')
    ? `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(text.slice('@every '.length))}`
    : `unrecognized descriptor: ${text}`;
}

/** Checks one part: `number | number "-" number [ "/" number ]`. */
function rangeError(expression: string, part: Part): string | undefined {
  const [range = '', step, ...moreSteps] = expression.split('/');
  const [low = '', high, ...moreBounds] = range.split('-');
  const any = low === '*' || low === '?';
  const begin = any ? part.least : numberIn(low, part);
  if (typeof begin === 'string') return begin;
  const open = any || (high === undefined && step !== undefined) ? part.most : begin;
  const end = any || high === undefined ? open : numberIn(high, part);
  if (typeof end === 'string') return end;
  if (moreBounds.length > 0) return `too many hyphens: ${expression}`;
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const every = step === undefined ? 1 : numberIn(step, part);
  if (typeof every === 'string') return every;
  if (begin < part.least) return `beginning of range (${begin}) below minimum (${part.least}): ${expression}`;
  if (end > part.most) return `end of range (${end}) above maximum (${part.most}): ${expression}`;
  if (begin > end) return `beginning of range (${begin}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** Returns the number, or the reason why the text is not one. */
function numberIn(text: string, { least, names }: Part): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return named + least;
  if (/^\+?\d{1,15}$/.test(text)) return Number(text);
  if (/^-\d{1,15}$/.test(text)) return `negative number (${Number(text)}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}

import { TIMING } from '../../platform/index.ts';
import { badRequest } from '../status/index.ts';
import { isTrue } from './route.ts';

/**
 * The `timeout` that a client gives its request, in ms; undefined where there is none, or where the request is a watch.
 * It is a duration of Go's: `30s`, `1m30s`. It never gives a request more time than Winnow does.
 * @throws ApiError 400
 */
export function readTimeout(query: URLSearchParams): number | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '' || isTrue(query.get('watch'))) return undefined;
  const duration = parseDuration(text);
  if (typeof duration === 'string') {
    throw badRequest(`invalid timeout specified in the request URL - ${duration}`);
  }
  return duration > 0 ? Math.min(duration, TIMING.request) : undefined;
}

const UNITS: Readonly<Partial<Record<string, number>>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** A duration of Go's in ms, or the error of its `time.ParseDuration`. */
export function parseDuration(text: string): number | string {
  const shown = JSON.stringify(text);
  const invalidDuration = `time: invalid duration ${shown}`;
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (rest === '') return invalidDuration;
  let sum = 0;
  for (let left = rest; left !== ''; ) {
    const [all, amount = '', unit = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(left) ?? [''];
    if (all === '') return invalidDuration;
    if (unit === '') return `time: missing unit in duration ${shown}`;
    const factor = UNITS[unit];
    if (factor === undefined) return `time: unknown unit ${JSON.stringify(unit)} in duration ${shown}`;
    sum += Number(amount) * factor;
    left = left.slice(all.length);
  }
  return sign === '-' ? -sum : sum;
}

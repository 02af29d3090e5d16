import { badRequest } from '../status/index.ts';
import { parseDuration } from './read-timeout.ts';

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * Reads a time of a query, in ms since the epoch: a time of RFC 3339, or a duration of Go's back from now. Undefined if it
 * is absent.
 *
 * @throws ApiError 400
 */
export function readTime(
  query: URLSearchParams,
  parameter: 'at' | 'since' | 'until',
  now: number,
): number | undefined {
  const text = query.get(parameter) ?? '';
  if (text === '') return undefined;
  const time = RFC_3339.test(text) ? Date.parse(text) : backFrom(now, text);
  if (!Number.isNaN(time)) return time;
  throw badRequest(
    `${parameter}: invalid time ${JSON.stringify(text)}: use RFC 3339, such as 2026-01-02T15:04:05Z, or a duration back from now, such as 90m`,
  );
}

function backFrom(now: number, text: string): number {
  const duration = parseDuration(text);
  return typeof duration === 'string' || duration < 0 ? Number.NaN : Math.floor(now - duration);
}

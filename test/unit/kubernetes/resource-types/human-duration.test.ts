import { describe, expect, it } from '@jest/globals';
import { humanAge, humanDuration } from '../../../../lib/kubernetes/resource-types/human-duration.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('humanDuration', () => {
  it.each([
    [-2 * SECOND, '<invalid>'],
    [-2 * SECOND + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [SECOND - 1, '0s'],
    [119 * SECOND + 999, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE + 30 * SECOND, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + MINUTE, '3h1m'],
    [8 * HOUR - 1, '7h59m'],
    [8 * HOUR + 30 * MINUTE, '8h'],
    [48 * HOUR - 1, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + HOUR, '2d1h'],
    [8 * DAY - 1, '7d23h'],
    [8 * DAY, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - 1, '7y364d'],
    [8 * YEAR, '8y'],
    [100 * YEAR + 3 * DAY, '100y'],
    [Number.NaN, '<invalid>'],
  ])('humanDuration prints %d ms as %s', (milliseconds, told) => {
    expect(humanDuration(milliseconds)).toBe(told);
  });
});

describe('humanAge', () => {
  const now = Date.parse('2030-01-01T00:01:00Z');

  it('humanAge prints the age of a timestamp', () => {
    expect(humanAge('2030-01-01T00:00:00Z', now)).toBe('60s');
  });

  it.each([
    ['', '<unknown>'],
    ['yesterday', '<invalid>'],
    ['2030-01-01T01:00:00Z', '<invalid>'],
  ])('humanAge prints %j as %s', (timestamp, told) => {
    expect(humanAge(timestamp, now)).toBe(told);
  });
});

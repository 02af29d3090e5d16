import { describe, expect, it } from '@jest/globals';
import { isSchedule } from '../../../../../lib/kubernetes/validation/jobs/schedule.ts';

/** The answers of github.com/robfig/cron v3.0.1. */
const ANSWERS: readonly (readonly [schedule: string, error: string])[] = [
  ['* * * * *', ''],
  ['*/5 0-6,12 1 jan sun-fri', ''],
  ['? * * * *', ''],
  ['*-5 * * * *', ''],
  ['1,, * * * *', ''],
  ['3/61 * * * *', ''],
  ['@daily', ''],
  ['@every 1h30m', ''],
  ['@every -1h', ''],
  ['@often', 'unrecognized descriptor: @often'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
];

describe('the schedule of a CronJob', () => {
  it.each(ANSWERS)('the schedule %s gives the error: %s', (schedule, error) => {
    const told = [...isSchedule('spec.schedule', { schedule, old: '', timeZone: undefined })];
    expect(told.map(({ detail }) => detail)).toEqual(error === '' ? [] : [error]);
  });

  it('a schedule may keep a stored time zone, but not together with the field timeZone', () => {
    const schedule = 'TZ=UTC 0 * * * *';
    const details = (old: string, timeZone?: string) =>
      [...isSchedule('spec.schedule', { schedule, old, timeZone })].map(({ detail }) => detail);
    expect(details('')).toEqual(['cannot use TZ or CRON_TZ in schedule, use timeZone field instead']);
    expect(details(schedule)).toEqual([]);
    expect(details(schedule, 'Etc/UTC')).toEqual([
      'cannot use both timeZone field and TZ or CRON_TZ in schedule',
    ]);
  });
});

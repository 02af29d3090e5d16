import { expect, it } from '@jest/globals';
import { readSince } from '../../../../cli/history/read-since.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');

it('a time is read as RFC 3339, or as a duration back from now', () => {
  expect(readSince('2026-01-02T10:00:00Z', NOW).toISOString()).toBe('2026-01-02T10:00:00.000Z');
  expect(readSince('90m', NOW).toISOString()).toBe('2026-01-02T10:30:00.000Z');
  expect(readSince('1d2h', NOW).toISOString()).toBe('2026-01-01T10:00:00.000Z');
});

it('another text is refused with the forms that are accepted', () => {
  expect(() => readSince('tomorrow', NOW)).toThrow('invalid time "tomorrow": use RFC 3339');
});

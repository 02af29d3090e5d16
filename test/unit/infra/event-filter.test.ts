import { describe, expect, it } from '@jest/globals';
import { type FilterPattern, passesFilters } from '../../../infra/local/event-filter.ts';

const journalInserts: FilterPattern = {
  eventName: ['INSERT'],
  dynamodb: { Keys: { pk: { S: [{ prefix: 'journal#' }] } } },
};
const record = (eventName: string, pk: string) => ({ eventName, dynamodb: { Keys: { pk: { S: pk } } } });

describe('the filter criteria of an event source', () => {
  it.each([
    [record('INSERT', 'journal#core/pods#3'), true],
    [record('MODIFY', 'journal#core/pods#3'), false],
    [record('REMOVE', 'journal#core/pods#3'), false],
    [record('INSERT', 'head#core/pods'), false],
    [record('INSERT', 'relabel#core/pods#journal#'), false],
    [{ eventName: 'INSERT', dynamodb: { Keys: {} } }, false],
    [{ eventName: 'INSERT' }, false],
    [{}, false],
  ])('the stream record %j passes the filter: %s', (event, passes) => {
    expect(passesFilters(event, [journalInserts])).toBe(passes);
  });

  it('every record passes without a pattern', () => {
    expect(passesFilters(record('REMOVE', 'head#core/pods'), [])).toBe(true);
  });

  it('a record passes if it matches one of several patterns', () => {
    const patterns: FilterPattern[] = [{ a: [1] }, { b: ['x', null] }];
    expect(passesFilters({ a: 1 }, patterns)).toBe(true);
    expect(passesFilters({ b: null }, patterns)).toBe(true);
    expect(passesFilters({ a: 2, b: 'y' }, patterns)).toBe(false);
  });

  it('a filter distinguishes an absent value from any other', () => {
    expect(passesFilters({}, [{ a: [{ exists: false }] }])).toBe(true);
    expect(passesFilters({ a: 0 }, [{ a: [{ exists: false }] }])).toBe(false);
    expect(passesFilters({}, [{ a: [{ 'anything-but': ['x'] }] }])).toBe(false);
    expect(passesFilters({ a: 'y' }, [{ a: [{ 'anything-but': ['x'] }] }])).toBe(true);
  });

  it('a filter ignores properties of the prototype', () => {
    expect(passesFilters({}, [{ constructor: [{ exists: true }] }])).toBe(false);
  });

  it('a filter with an unknown rule is refused', () => {
    const pattern = { a: [{ numeric: ['>', 1] }] } as unknown as FilterPattern;
    expect(() => passesFilters({ a: 2 }, [pattern])).toThrow('numeric');
  });
});

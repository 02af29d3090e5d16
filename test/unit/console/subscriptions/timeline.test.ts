import { describe, expect, it } from '@jest/globals';
import {
  changesSince,
  changeText,
  divideAt,
  type Transition,
} from '../../../../console/subscriptions/timeline.ts';

const change = (resourceVersion: string): Transition => ({
  metadata: { name: 'a' },
  type: 'Changed',
  resourceVersion,
  time: '2026-11-28T10:00:00Z',
});

describe('The line between told and waiting', () => {
  it('Changes after the position wait, and the change at the position was told', () => {
    const { waiting, told } = divideAt([change('101'), change('100'), change('99')], '100');
    expect(waiting.map(({ resourceVersion }) => resourceVersion)).toEqual(['101']);
    expect(told.map(({ resourceVersion }) => resourceVersion)).toEqual(['100', '99']);
  });

  it('Positions are compared as integers of any size', () => {
    expect(divideAt([change('90071992547409931')], '90071992547409930').waiting).toHaveLength(1);
  });

  it('Everything waits before the end of a snapshot', () => {
    expect(divideAt([change('5')], undefined).told).toEqual([]);
    expect(divideAt([change('5')], '0').told).toEqual([]);
  });
});

describe('The beginning of the changes', () => {
  const at = (resourceVersion: string, time: string) => ({ ...change(resourceVersion), time });
  const changes = [
    at('3', '2026-11-28T10:00:01Z'),
    at('2', '2026-11-28T10:00:00.500Z'),
    at('1', '2026-11-28T09:59:59Z'),
  ];
  const versions = (beginning: Parameters<typeof changesSince>[1]) =>
    changesSince(changes, beginning).map(({ resourceVersion }) => resourceVersion);

  it('Changes before the creation of the Subscription are left out', () => {
    expect(versions({ start: 'now', created: '2026-11-28T10:00:00Z' })).toEqual(['3', '2']);
    expect(versions({})).toEqual(['3', '2', '1']);
  });

  it('A Subscription that starts from a version sends the changes after it, also the older ones', () => {
    expect(versions({ start: '1', created: '2026-11-28T10:00:01Z' })).toEqual(['3', '2']);
  });
});

describe('A change in a few words', () => {
  it('A label has its key, and another field its path', () => {
    expect(changeText([{ op: 'replace', path: '/metadata/labels/tier', value: 'qa' }])).toBe('tier=qa');
    expect(changeText([{ op: 'add', path: '/metadata/labels/a.b~1tier', value: 'x' }])).toBe('+a.b/tier=x');
    expect(changeText([{ op: 'remove', path: '/metadata/annotations/note' }])).toBe('−annotations.note');
    expect(changeText([{ op: 'replace', path: '/spec/template', value: {} }])).toBe('spec.template=…');
  });

  it('A change of a whole object is its creation or deletion', () => {
    expect(changeText([{ op: 'add', path: '', value: {} }])).toBe('created');
    expect(changeText([{ op: 'remove', path: '' }])).toBe('deleted');
    expect(changeText(undefined)).toBe('');
  });

  it('A change of many fields names three of them, and a long value is cut', () => {
    const patch = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ op: 'remove', path: `/spec/${key}` }));
    expect(changeText(patch)).toBe('−spec.a, −spec.b, −spec.c, and 2 more');
    expect(changeText([{ op: 'add', path: '/spec/a', value: 'x'.repeat(100) }])).toHaveLength(48);
  });
});

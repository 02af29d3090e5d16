import { describe, expect, it } from '@jest/globals';
import { changeText, divideAt, type Transition } from '../../../../console/subscriptions/timeline.ts';

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

import { describe, expect, it } from '@jest/globals';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import type { JournalChange, ObjectState } from '../../../../lib/store/index.ts';
import { transition } from '../../../../lib/store/index.ts';
import { eventOf } from '../../../../lib/store/watch/transition.ts';

const name = { namespace: 'default', name: 'a' };
const state = (rv: number, app: string): ObjectState => ({
  name,
  rv,
  uid: 'u',
  labels: { app },
  body: { rv },
});

/** A change of `default/a` at 7, of what is before and after it. */
const change = (before: ObjectState | undefined, after: ObjectState | undefined) =>
  ({ rv: 7, name, before, after }) as JournalChange;

const selector = parseSelector('app=in');
const [before, after] = [state(3, 'in'), state(7, 'in')];
const [wasOut, isOut] = [state(3, 'out'), state(7, 'out')];
const left = { ...before, rv: 7 };

describe('a watch transition', () => {
  it.each([
    ['created within', undefined, after, { type: 'ADDED', object: after }],
    ['created without', undefined, isOut, undefined],
    ['changed within', before, after, { type: 'MODIFIED', object: after }],
    ['entering', wasOut, after, { type: 'ADDED', object: after }],
    ['leaving, as it last was', before, isOut, { type: 'DELETED', object: left }],
    ['changed without', wasOut, isOut, undefined],
    ['deleted within', before, undefined, { type: 'DELETED', object: left }],
    ['deleted without', wasOut, undefined, undefined],
  ])('reports an object %s', (_, old, next, expected) => {
    expect(transition(change(old, next), { selector })).toEqual(expected);
  });

  it('reports the resourceVersion at which the object was in the set before, if it was', () => {
    const at = (old: ObjectState | undefined, next: ObjectState | undefined) =>
      transition({ ...change(old, next), previousRv: 3 } as JournalChange, { selector })?.previous;
    expect([at(wasOut, after), at(before, after), at(before, isOut)]).toEqual([undefined, 3, 3]);
  });

  it('is never reported for an object that does not exist', () => {
    expect(() => eventOf(change(undefined, after), 'left')).toThrow(RangeError);
    expect(() => eventOf(change(before, undefined), 'entered')).toThrow(RangeError);
  });

  it('uses fields like labels', () => {
    const matches = ({ rv }: ObjectState) => rv === 3;
    expect(transition(change(before, after), { selector, matches })).toEqual({
      type: 'DELETED',
      object: left,
    });
  });

  it('is limited to one namespace or one name on request', () => {
    expect(transition(change(undefined, after), { selector, namespace: 'other' })).toBeUndefined();
    expect(transition(change(undefined, after), { selector, name: 'b' })).toBeUndefined();
    expect(transition(change(undefined, after), { selector, ...name })).toBeDefined();
    const several = (...namespaces: readonly string[]) => ({ selector, namespaces: new Set(namespaces) });
    expect(transition(change(undefined, after), several('other', 'more'))).toBeUndefined();
    expect(transition(change(undefined, after), several('other', 'default'))).toBeDefined();
  });
});

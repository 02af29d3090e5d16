import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HeldObjects } from '../../../../lib/client/objects/held-objects.ts';
import type { Stored } from '../../../../lib/client/objects/index.ts';

let version = 0;
const object = (name: string, namespace = 'default'): Stored => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    namespace,
    uid: name,
    resourceVersion: `${++version}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
});
const held = (most: number, ...names: string[]) => {
  const objects = new HeldObjects(most);
  for (const name of names) objects.put(object(name), true);
  return objects;
};
const names = (objects: HeldObjects<unknown>) => objects.snapshot().map(({ metadata }) => metadata.name);

describe('The held objects of a set', () => {
  it('The snapshot is sorted, frozen, and the same until something changes', () => {
    const objects = held(10, 'b', 'a');
    objects.put(object('z', 'a'), true);
    const snapshot = objects.snapshot();
    expect(names(objects)).toEqual(['z', 'a', 'b']);
    expect(Object.isFrozen(snapshot)).toBe(true);
    expect(objects.snapshot()).toBe(snapshot);
    objects.put(object('a'), false);
    expect(objects.snapshot()).not.toBe(snapshot);
  });

  it('A set that is too large holds its first objects, and counts all', () => {
    const objects = held(2, 'd', 'c', 'b', 'e', 'a');
    expect([names(objects), objects.count, objects.isComplete]).toEqual([['a', 'b'], 5, false]);
    expect(objects.remove(object('d'))).toEqual([]);
    expect(objects.put(object('c'), false)).toEqual([]);
    expect(objects.count).toBe(4);
  });

  it('A set that shrinks to its held objects is complete', () => {
    const objects = held(2, 'a', 'b', 'c');
    objects.remove(object('a'));
    expect(objects.isComplete).toBe(false);
    objects.remove(object('c'));
    expect([names(objects), objects.count, objects.isComplete]).toEqual([['b'], 1, true]);
  });

  it('An object before the last held one takes its place', () => {
    const objects = held(2, 'a', 'c', 'd');
    expect(
      objects.put(object('b'), true).map(({ kind, object: { metadata } }) => [kind, metadata.name]),
    ).toEqual([
      ['add', 'b'],
      ['delete', 'c'],
    ]);
    expect([names(objects), objects.count]).toEqual([['a', 'b'], 4]);
  });

  it('A set of which half of the held objects are gone needs others', () => {
    const objects = held(4, 'a', 'b', 'c', 'd', 'e', 'f');
    for (const name of ['a', 'b']) objects.remove(object(name));
    expect(objects.isThin).toBe(false);
    objects.remove(object('c'));
    expect(objects.isThin).toBe(true);
  });

  it('The difference to a new list has exactly the objects that came, changed and went', () => {
    const objects = held(10, 'same', 'changed', 'gone');
    const fresh = new HeldObjects(10);
    fresh.put(objects.get('same', 'default') ?? object('same'), true);
    fresh.put(object('changed'), true);
    fresh.put(object('new'), true);
    const difference = objects
      .replaceBy(fresh)
      .map(({ kind, object: { metadata } }) => [kind, metadata.name]);
    expect(difference).toEqual([
      ['delete', 'gone'],
      ['update', 'changed'],
      ['add', 'new'],
    ]);
    expect(names(objects)).toEqual(['changed', 'new', 'same']);
  });

  it('After any changes, the held objects are the first ones of the set, and the count is right', () => {
    const step = fc.record({ name: fc.constantFrom(...'abcdefgh'), isThere: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (steps, most) => {
        const objects = new HeldObjects(most);
        const all = new Set<string>();
        const told = new Set<string>();
        for (const { name, isThere } of steps) {
          if (!isThere && !all.has(name)) continue;
          const changes = isThere ? objects.put(object(name), !all.has(name)) : objects.remove(object(name));
          all[isThere ? 'add' : 'delete'](name);
          for (const { kind, object: changed } of changes) {
            told[kind === 'delete' ? 'delete' : 'add'](changed.metadata.name);
          }
        }
        const shown = names(objects);
        expect(objects.count).toBe(all.size);
        expect(shown).toEqual([...told].sort());
        expect(shown).toEqual([...all].sort().slice(0, objects.isComplete ? undefined : shown.length));
      }),
    );
  });
});

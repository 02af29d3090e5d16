import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonObject, type JsonValue, jsonPatchBetween } from '../../../lib/json/index.ts';
import { applyPatch } from '../../../lib/kubernetes/patch/index.ts';

const key = fc.constantFrom('a', 'b', 'name', 'a/b', 'c~d', '__proto__', '0');
const { value, list } = fc.letrec<{ value: JsonValue; list: JsonValue; named: JsonValue; object: JsonValue }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('', 'x', 'y'),
      fc.constant(null),
      tie('object'),
      tie('list'),
    ),
    list: fc.oneof(
      { maxDepth: 4 },
      fc.array(tie('value'), { maxLength: 6 }),
      fc.uniqueArray(tie('named'), {
        maxLength: 6,
        selector: (element) => (element as JsonObject).name,
      }) as fc.Arbitrary<JsonValue>,
    ),
    named: fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      more: tie('value'),
    }) as fc.Arbitrary<JsonValue>,
    object: fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  }),
);
const object = fc.dictionary(key, value, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;

/** Applies the patch as the API applies the patches of clients. */
const patched = (from: JsonObject, to: JsonObject): JsonObject =>
  applyPatch({
    contentType: 'application/json-patch+json',
    patch: Buffer.from(JSON.stringify(jsonPatchBetween(from, to))),
    target: from,
    type: { builtin: true },
    message: undefined,
  });

const textOf = (from: JsonValue, to: JsonValue) =>
  jsonPatchBetween(from, to).map((operation) => {
    const { op, path } = operation;
    return [op, path, ...('value' in operation ? [JSON.stringify(operation.value)] : [])].join(' ');
  });

describe('The JSON patch between two values', () => {
  it('the patch turns each value into the other', () => {
    fc.assert(
      fc.property(object, object, list, list, (left, right, some, others) => {
        const [from, to] = [
          { ...left, some },
          { ...right, some: others },
        ] as [JsonObject, JsonObject];
        expect(patched(from, to)).toEqual(to);
      }),
      { numRuns: 1_000 },
    );
  });

  it('the patch of equal values is empty', () => {
    fc.assert(fc.property(value, (one) => expect(jsonPatchBetween(one, structuredClone(one))).toEqual([])));
  });

  it.each<[string, JsonValue, JsonValue, string[]]>([
    ['a changed member', { a: 1, b: 2 }, { a: 1, b: 3 }, ['replace /b 3']],
    ['a new and a lost member', { a: 1 }, { b: 2 }, ['remove /a', 'add /b 2']],
    ['a key with special characters', { 'x/y~z': 1 }, {}, ['remove /x~1y~0z']],
    [
      'a named element that changes',
      { l: [{ name: 'a', image: 'x', args: ['long', 'long'] }, { name: 'b' }] },
      { l: [{ name: 'a', image: 'y', args: ['long', 'long'] }, { name: 'b' }] },
      ['replace /l/0/image "y"'],
    ],
    [
      'a new element in front of a named one that changes',
      { l: [{ name: 'b', image: 'x', more: 'a long text that stays as it is, so a whole list is longer' }] },
      {
        l: [
          { name: 'a' },
          { name: 'b', image: 'y', more: 'a long text that stays as it is, so a whole list is longer' },
        ],
      },
      ['add /l/0 {"name":"a"}', 'replace /l/1/image "y"'],
    ],
    [
      'a removed element of a plain list',
      { l: ['one long text', 'another long text', 'a third long text'] },
      { l: ['one long text', 'a third long text'] },
      ['remove /l/1'],
    ],
    ['a short list that changes as a whole', { l: [1, 2, 3] }, { l: [4, 5, 6] }, ['replace /l [4,5,6]']],
  ])('the patch of %s is short', (_what, from, to, expected) => {
    expect(textOf(from, to)).toEqual(expected);
  });

  it('lists that are too long to align are still patched correctly', () => {
    const from = { l: Array.from({ length: 700 }, (_, index) => `old ${index}`) };
    const to = { l: Array.from({ length: 600 }, (_, index) => `new ${index}`) };
    expect(patched(from, to)).toEqual(to);
  });

  it('the work of a patch is bounded: deep and many lists are replaced as a whole', () => {
    const deep = (leaf: string) => {
      let nested: JsonValue = leaf;
      for (let depth = 0; depth < 400; depth += 1) nested = [nested];
      return { nested };
    };
    const [from, to] = [deep('a'.repeat(1_000_000)), deep('b'.repeat(1_000_000))];
    const [operation] = jsonPatchBetween(from, to);
    // Without a bound, each of the 400 lists would be compared, and the path would name the innermost one.
    expect(operation?.path.length).toBeLessThan(100);
    expect(patched(from, to)).toEqual(to);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  applyMergePatch,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  mergePatchBetween,
} from '../../../lib/json/index.ts';

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '0');
/** JSON with nulls only in lists, as the store holds it. */
const stored = fc.letrec<{ value: JsonValue; object: JsonObject; item: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.integer(),
    fc.string({ maxLength: 2 }),
    fc.boolean(),
    tie('object'),
    fc.array(tie('item'), { maxLength: 3 }),
  ),
  item: fc.oneof({ maxDepth: 4 }, fc.constant(null), tie('value'), fc.constant({ a: null })),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
}));
const { object } = stored;
/** Any JSON, as a client may send it. */
const patches = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const text = (value: JsonValue) => JSON.stringify(value);

describe('a merge patch', () => {
  // RFC 7386, appendix A.
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('A merge patch turns %s by %s into %s', (target, patch, expected) => {
    expect(text(applyMergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(expected);
  });

  it('A merge patch treats hostile keys like any other', () => {
    const patched = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":null}}'));
    expect(text(patched)).toBe('{"__proto__":{"polluted":1},"constructor":{}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('A merge patch has the same effect when it is applied twice', () => {
    fc.assert(
      fc.property(object, patches, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(jsonEquals(applyMergePatch(once, patch), once)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('A merge patch leaves its input unchanged', () => {
    fc.assert(
      fc.property(object, object, patches, (from, to, patch) => {
        const before = text([from, to, patch]);
        applyMergePatch(from, patch);
        mergePatchBetween(from, to);
        expect(text([from, to, patch])).toBe(before);
      }),
    );
  });
});

describe('The merge patch between two objects', () => {
  it('The patch turns the first object into the second exactly', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patched = applyMergePatch(from, mergePatchBetween(from, to));
        expect(jsonEquals(patched, to)).toBe(true);
        expect(sorted(patched)).toBe(sorted(to));
      }),
      { numRuns: 3000 },
    );
  });

  it('The patch is empty for equal objects and only for them', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patch = mergePatchBetween(from, to);
        expect(Object.keys(patch).length === 0).toBe(sorted(from) === sorted(to));
        expect(mergePatchBetween(from, structuredClone(from))).toEqual({});
      }),
      { numRuns: 500 },
    );
  });

  it('The patch contains only what differs', () => {
    const from = { kept: { deep: [1] }, changed: { a: 1, b: 2 }, gone: true };
    const to = { kept: { deep: [1] }, changed: { a: 1, b: 3 }, added: {} };
    expect(mergePatchBetween(from, to)).toEqual({ gone: null, changed: { b: 3 }, added: {} });
  });
});

describe('The equality of JSON', () => {
  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{ a: null }, {}, false],
    [{ a: null }, { b: null }, false],
    [[null], [], false],
    ['1', 1, false],
    [null, {}, false],
  ] as [JsonValue, JsonValue, boolean][])('The equality of %j and %j is %s', (left, right, expected) => {
    expect(jsonEquals(left, right)).toBe(expected);
    expect(jsonEquals(right, left)).toBe(expected);
  });
});

/** The JSON text with sorted object keys, so that equal values have equal texts. */
function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  );
}

import { describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { storedJson } from '../../../../lib/server/show/stored-json.ts';
import { encodeBody } from '../../../../lib/store/body/body-codec.ts';
import { type ObjectState, toObject } from '../../../../lib/store/index.ts';
import { storedState } from '../../../../lib/store/object.ts';
import { randomObjects, randomValues } from '../../../support/random-json.ts';

const known = { name: { namespace: 'default', name: 'x' }, rv: 17, uid: 'u', labels: {} };

/** A state that was written and read again. */
function stored(body: JsonObject): ObjectState {
  return storedState(known, encodeBody(body));
}

/** What the list of a built-in kind and a watch show of a state that has no text. */
function encoded(state: ObjectState) {
  const object = toObject({ ...state });
  const { apiVersion: _apiVersion, kind: _kind, ...untyped } = object;
  return { typed: JSON.stringify(object), untyped: JSON.stringify(untyped) };
}

const managedFields = [
  {
    manager: 'kubectl',
    operation: 'Apply',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } }, 'f:spec': { 'k:{"name":"a"}': {} } },
  },
];

describe('the JSON of a stored object', () => {
  it('equals the JSON of the decoded object, for all orders of its fields', () => {
    const fields = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', labels: { a: '}"{' }, managedFields },
      spec: { template: { metadata: { name: 'inner' }, kind: 'Inner' } },
      status: 'metadata":{',
    };
    for (const order of permutations(Object.entries(fields))) {
      const state = stored(Object.fromEntries(order));
      expect(storedJson(state, 'typed')).toBe(encoded(state).typed);
      expect(storedJson(state, 'untyped')).toBe(encoded(state).untyped);
    }
  });

  it('equals the JSON of the decoded object, whatever the object contains', () => {
    const objects = randomObjects(2_000);
    let shown = 0;
    for (const [index, object] of objects.entries()) {
      const metadata = { ...objectAt(objects[index - 1]), name: 'x', managedFields };
      const state = stored({ ...object, metadata, extra: object });
      for (const typing of ['typed', 'untyped'] as const) {
        const text = storedJson(state, typing);
        if (text === undefined) continue;
        shown += 1;
        expect(text).toBe(encoded(state)[typing]);
      }
    }
    expect(shown).toBe(4_000);
  });

  it('is left to the encoder if the metadata is missing, is no object, or may have a resourceVersion', () => {
    for (const metadata of randomValues(200)) {
      const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
      const state = stored({ kind: 'Pod', metadata });
      const expected = isObject ? encoded(state).typed : undefined;
      expect(storedJson(state, 'typed')).toBe(expected);
    }
    expect(storedJson(stored({ kind: 'Pod' }), 'typed')).toBeUndefined();
    expect(storedJson(stored({ metadata: { resourceVersion: '1' } }), 'typed')).toBeUndefined();
    expect(storedJson(stored({ spec: { metadata: {} } }), 'untyped')).toBeUndefined();
  });

  it('is left to the encoder if the state was changed after it was read, or has no resourceVersion yet', () => {
    const state = stored({ metadata: { name: 'x' } });
    expect(storedJson(state, 'typed')).toBe('{"metadata":{"name":"x","resourceVersion":"17"}}');
    expect(storedJson({ ...state, body: {} }, 'typed')).toBeUndefined();
    expect(storedJson({ ...state }, 'typed')).toBeUndefined();
    expect(storedJson(storedState({ ...known, rv: 0 }, '{"metadata":{}}'), 'typed')).toBeUndefined();
  });

  it('adds the resourceVersion to empty metadata, and leaves an object without other fields', () => {
    expect(storedJson(stored({ kind: 'Pod', metadata: {} }), 'untyped')).toBe(
      '{"metadata":{"resourceVersion":"17"}}',
    );
  });
});

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

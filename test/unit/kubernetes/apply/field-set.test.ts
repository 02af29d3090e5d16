import { describe, expect, it } from '@jest/globals';
import { FieldSet } from '../../../../lib/kubernetes/apply/field-set.ts';
import {
  comparePathElements,
  PathElementError,
  parsePathElement,
  showPath,
} from '../../../../lib/kubernetes/apply/path-element.ts';

describe('a set of fields', () => {
  it('a FieldSet is written in canonical form and order, without unknown elements', () => {
    const read = FieldSet.fromFieldsV1({
      'v:2': {},
      'i:10': {},
      'i:9': {},
      'k:{"b": 1, "a": "<"}': { 'f:z': {}, '.': {} },
      'f:é': {},
      'f:b': { 'x:unknown': {} },
      'v:"10"': {},
      'v:10': {},
    });
    expect(JSON.stringify(read.toFieldsV1())).toBe(
      JSON.stringify({
        'f:b': {},
        'f:é': {},
        'k:{"a":"\\u003c","b":1}': { '.': {}, 'f:z': {} },
        'v:2': {},
        'v:10': {},
        'v:"10"': {},
        'i:9': {},
        'i:10': {},
      }),
    );
  });

  it.each(['f', 'fa', 'v:{', 'k:[]', 'i:x'])('a FieldSet refuses the key %j', (key) => {
    expect(() => FieldSet.fromFieldsV1({ [key]: {} })).toThrow(PathElementError);
  });

  it('difference keeps fields below the removed ones, and recursiveDifference removes them too', () => {
    const set = FieldSet.of(['f:a'], ['f:a', 'f:b'], ['f:c']);
    const other = FieldSet.of(['f:a']);
    expect(set.difference(other).toFieldsV1()).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} });
    expect(set.recursiveDifference(other).toFieldsV1()).toEqual({ 'f:c': {} });
    expect(set.intersection(other).toFieldsV1()).toEqual({ 'f:a': {} });
    expect(other.union(set).toFieldsV1()).toEqual(set.toFieldsV1());
    expect(set.has(['f:a', 'f:b'])).toBe(true);
    expect(set.has([])).toBe(false);
  });
});

describe('a field path', () => {
  it('a path is printed as in the messages of conflicts', () => {
    const path = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'v:"a"', 'i:1'];
    expect(showPath(path)).toBe('.spec.ports[port=80,protocol="TCP"][="a"][1]');
  });

  it('path elements are ordered by kind, then by their bytes, keys and values', () => {
    const ordered = ['f:\uffff', 'f:𐀀', 'k:{"a":1}', 'k:{"a":1,"b":1}', 'v:1', 'v:"a"', 'v:false', 'v:null'];
    expect(ordered.toReversed().sort(comparePathElements)).toEqual(ordered);
    expect(parsePathElement('q:later')).toBeUndefined();
  });
});

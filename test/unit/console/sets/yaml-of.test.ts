import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { yamlOf } from '../../../../console/sets/yaml-of.ts';

describe('YAML of a drafted object', () => {
  it('A draft reads as people write it, without absent fields', () => {
    const draft = {
      apiVersion: 'winnow.dev/v1',
      metadata: { name: 'a', namespace: undefined },
      spec: { groupBy: ['app', 'tier'], labelSelector: 'app=web,tier in (a,b)', bounds: { min: 3 } },
    };
    expect(yamlOf(draft)).toBe(
      [
        'apiVersion: winnow.dev/v1',
        'metadata:',
        '  name: a',
        'spec:',
        '  groupBy:',
        '  - app',
        '  - tier',
        '  labelSelector: app=web,tier in (a,b)',
        '  bounds:',
        '    min: 3',
      ].join('\n'),
    );
  });

  it('Every text stays a text, and a parser reads the same value back', () => {
    const texts = [
      'true',
      'no',
      '1',
      '',
      ' a',
      'a ',
      'a: b',
      'a #b',
      '!a',
      'a,',
      '- a',
      'null',
      'x\ny',
      '"',
      '12:30',
    ];
    const value = { texts, list: [{ a: 1, b: [true, null] }, { c: {} }], none: [], 'a: b': { no: 'yes' } };
    expect(parse(yamlOf(value))).toEqual(value);
    for (const text of texts) expect(parse(yamlOf({ text }))).toEqual({ text });
  });
});

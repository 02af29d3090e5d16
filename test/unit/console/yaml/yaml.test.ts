import { describe, expect, it } from '@jest/globals';
import { readYaml, yamlOf } from '../../../../console/yaml/index.ts';

describe('Objects as YAML', () => {
  it('An object reads as people write it, without absent fields', () => {
    const spec = { groupBy: ['app', 'tier'], labelSelector: 'app=web,tier in (a,b)', namespaces: undefined };
    expect(yamlOf({ kind: 'Tally', spec })).toBe(
      [
        'kind: Tally',
        'spec:',
        '  groupBy:',
        '    - app',
        '    - tier',
        '  labelSelector: app=web,tier in (a,b)',
        '',
      ].join('\n'),
    );
  });

  it('What is written is read back, also texts that look like other values', () => {
    const value = {
      texts: ['true', 'null', '1', '', ' a', 'a: b', '!a', '- a', 'x\ny'],
      none: [],
      one: { a: null },
    };
    expect(readYaml(yamlOf(value))).toEqual(value);
  });

  it('A fault has its line and column', () => {
    expect(() => readYaml('kind: Pod\nspec: {a: b: c}')).toThrow(/^Line 2, column \d+: /);
    expect(() => readYaml('kind: Pod\n---\nkind: Pod\n')).toThrow('single document');
  });
});

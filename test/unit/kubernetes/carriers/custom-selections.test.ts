import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../../lib/json/index.ts';
import { customSelections, readDeclaredFields } from '../../../../lib/kubernetes/carriers/index.ts';

describe('the annotation that names the selectors of a custom kind', () => {
  it('readDeclaredFields reads the fields and the collection that each selects', () => {
    expect(readDeclaredFields('pods=.spec.selector, deployments.apps=.spec.over_all')).toEqual({
      fields: [
        { target: 'core/pods', path: 'spec.selector' },
        { target: 'apps/deployments', path: 'spec.over_all' },
      ],
      errors: [],
    });
  });

  it.each([
    '',
    'pods',
    'pods=',
    'pods=spec.selector',
    '=.spec',
    'Pods=.spec',
    'pods=.a,',
    'pods=.a,nodes=.a',
  ])('readDeclaredFields refuses %j', (text) => {
    const { fields, errors } = readDeclaredFields(text);
    expect(fields).toEqual([]);
    expect(errors.map(({ field }) => field)).toContain('metadata.annotations[winnow.dev/selects]');
  });

  it('the annotation names at most eight fields', () => {
    const text = (count: number) => Array.from({ length: count }, (_, at) => `pods=.spec.f${at}`).join(',');
    expect(readDeclaredFields(text(8)).errors).toEqual([]);
    expect(readDeclaredFields(text(9)).errors).toHaveLength(1);
  });
});

describe('the selections of an object of a custom kind', () => {
  const selections = (value: JsonValue, namespace = 'default') =>
    customSelections(
      { spec: { selector: value } },
      {
        ...readDeclaredFields('pods=.spec.selector'),
        namespace,
        isNamespaced: () => true,
      },
    );

  it.each<[JsonValue, string[]]>([
    ['app in (a,b)', ['app in (a,b)']],
    ['', ['']],
    [{ app: 'web' }, ['app=web']],
    [{ matchLabels: { app: 'web' } }, ['app=web']],
    [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, ['app']],
    [{}, ['']],
    [null, []],
    [3, []],
    ['=', []],
  ])('the field value %j selects %j', (value, texts) => {
    expect(selections(value).map(({ selector }) => `${selector}`)).toEqual(texts);
  });

  it('a selection covers its own namespace if both kinds are namespaced, otherwise all namespaces', () => {
    expect(selections('app')[0]?.namespaces).toEqual(['default']);
    expect(selections('app', '')[0]?.namespaces).toBeUndefined();
    const declared = readDeclaredFields('nodes=.spec');
    const [nodes] = customSelections(
      { spec: 'app' },
      { ...declared, namespace: 'default', isNamespaced: () => false },
    );
    expect(nodes?.namespaces).toBeUndefined();
  });
});

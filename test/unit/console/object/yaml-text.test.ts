import { describe, expect, it } from '@jest/globals';
import { differenceOf } from '../../../../console/object/difference.ts';
import { DraftError, draftOf, readDraft } from '../../../../console/object/yaml-text.ts';
import { yamlOf } from '../../../../console/yaml/index.ts';
import { SERVICE } from './fixture.ts';

describe('A draft', () => {
  it('A draft has no field that the server sets', () => {
    const { metadata, ...rest } = draftOf(SERVICE);
    expect(Object.keys(metadata as object)).toEqual([
      'name',
      'namespace',
      'labels',
      'annotations',
      'finalizers',
      'ownerReferences',
    ]);
    expect(Object.keys(rest)).toEqual(['apiVersion', 'kind', 'spec']);
  });

  it('An unchanged draft reads back as it was, also texts that look like other values', () => {
    const object = { ...SERVICE, data: { a: 'on', b: '1', c: 'null', d: '2026-01-01', e: 'a\nb\n', f: '' } };
    expect(readDraft(yamlOf(draftOf(object)), object)).toEqual(draftOf(object));
  });

  it.each([
    ['no YAML', 'a: [1', /^Line \d+, column \d+: /],
    ['a list', '- a', /not an object/],
    ['an empty text', ' ', /empty/],
    [
      'another kind',
      'apiVersion: v1\nkind: Pod',
      /^kind is "Pod", but an edit keeps it as it is: "Service"$/,
    ],
    [
      'another name',
      'apiVersion: v1\nkind: Service\nmetadata: {name: other, namespace: shop}',
      /^metadata.name is "other", but an edit keeps it as it is: "web"$/,
    ],
    ['no namespace', 'apiVersion: v1\nkind: Service\nmetadata: {name: web}', /^metadata.namespace is absent/],
  ])('A draft that is %s says so', (_name, text, message) => {
    expect(() => readDraft(text, SERVICE)).toThrow(DraftError);
    expect(() => readDraft(text, SERVICE)).toThrow(message);
  });
});

describe('A difference', () => {
  it('A difference has the changed lines with some lines around them', () => {
    const after = { ...SERVICE, spec: { ports: [{ port: 81, name: 'http' }], selector: { app: 'web' } } };
    const lines = differenceOf(SERVICE, after).filter(({ how }) => how !== 'same');
    expect(lines).toEqual([
      { how: 'gap', text: '… 18 unchanged lines' },
      { how: 'removed', text: '      port: 80' },
      { how: 'added', text: '      port: 81' },
      { how: 'gap', text: '… 1 unchanged line' },
    ]);
  });

  it('Fields that each write changes do not count, nor does the order of fields', () => {
    const { name, ...rest } = SERVICE.metadata;
    const after = {
      ...SERVICE,
      metadata: { ...rest, name, resourceVersion: '21', generation: 4, managedFields: [] },
    };
    expect(differenceOf(SERVICE, after)).toEqual([]);
  });

  it('A created object is added as a whole, a deleted one is removed, and gaps count the lines between', () => {
    expect(new Set(differenceOf(undefined, SERVICE).map(({ how }) => how))).toEqual(new Set(['added']));
    expect(new Set(differenceOf(SERVICE, undefined).map(({ how }) => how))).toEqual(new Set(['removed']));
    const far = { ...SERVICE, metadata: { ...SERVICE.metadata, annotations: { note: 'bye' } }, status: {} };
    const lines = differenceOf(SERVICE, far);
    const old = lines.filter(({ how }) => how === 'same' || how === 'removed').length;
    const gaps = lines.flatMap(({ how, text }) => (how === 'gap' ? Number(/\d+/.exec(text)) : []));
    const unsaid = ['generation', 'managedFields', 'resourceVersion'];
    const metadata = Object.fromEntries(
      Object.entries(SERVICE.metadata).filter(([name]) => !unsaid.includes(name)),
    );
    const all = yamlOf({ ...SERVICE, metadata })
      .trimEnd()
      .split('\n').length;
    expect([gaps.length, gaps.reduce((sum, one) => sum + one, old)]).toEqual([2, all]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { asNew, ownWords, reviewText } from '../../../../console/placement/asked-object.ts';

describe('A stored object as a new one', () => {
  it('A pod loses its node and what the server set, and keeps its labels', () => {
    const pod = {
      metadata: { name: 'a', namespace: 'shop', uid: '1', resourceVersion: '5', labels: { app: 'web' } },
      spec: { nodeName: 'north-1', containers: [] },
      status: { phase: 'Running' },
    };
    expect(asNew(pod, 'v1', 'Pod')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' } },
      spec: { containers: [] },
    });
  });

  it('A workload keeps its template, and a PodTemplate its template without a spec', () => {
    const spec = { template: { spec: { nodeName: 'north-1' } } };
    expect(asNew({ metadata: { name: 'a' }, spec }, 'apps/v1', 'Deployment')).toMatchObject({ spec });
    expect(asNew({ metadata: { name: 'a' }, template: spec.template }, 'v1', 'PodTemplate')).toMatchObject({
      template: spec.template,
    });
  });
});

describe('The review of a pasted object', () => {
  it.each([
    ['YAML', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n'],
    ['YAML with a document start', '---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n'],
    [
      'YAML with a comment before the start',
      '# a pod\n\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n',
    ],
    ['YAML with a document end', 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n'],
    ['JSON', '{"apiVersion": "v1",\n"kind": "Pod",\n"metadata": {"name": "a"}}'],
  ])('%s becomes the object of the review', (_, text) => {
    expect(parse(reviewText(text, 3))).toEqual({
      apiVersion: 'winnow.dev/v1',
      kind: 'PlacementReview',
      spec: { object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }, count: 3 },
    });
  });

  it('A block of text inside the object keeps its lines', () => {
    const text = 'kind: Pod\nmetadata:\n  annotations:\n    note: |\n      one\n        two\n';
    expect(parse(reviewText(text, 1)).spec.object.metadata.annotations.note).toBe('one\n  two\n');
  });

  it('An empty text and several documents are refused', () => {
    expect(() => reviewText(' \n', 1)).toThrow('Paste an object');
    expect(() => reviewText('kind: Pod\n---\nkind: Pod\n', 1)).toThrow('several documents');
  });

  it('A message names the lines and the fields of the pasted object', () => {
    expect(ownWords('yaml: line 8: deficient indentation')).toBe('yaml: line 6: deficient indentation');
    expect(
      ownWords('PlacementReview.winnow.dev "" is invalid: spec.object.spec.containers: Required value'),
    ).toBe('spec.containers: Required value');
  });
});

import { describe, expect, it } from '@jest/globals';
import { asNew, ownWords, readPasted } from '../../../../console/placement/asked-object.ts';

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

describe('A pasted object', () => {
  it.each([
    ['YAML', 'apiVersion: v1\nkind: Pod\n'],
    ['YAML with a document start', '# a pod\n---\napiVersion: v1\nkind: Pod\n'],
    ['JSON', '{"apiVersion": "v1",\n"kind": "Pod"}'],
  ])('%s is read', async (_, text) => {
    await expect(readPasted(text)).resolves.toEqual({ apiVersion: 'v1', kind: 'Pod' });
  });

  it('A text that is no object is refused', async () => {
    for (const text of ['', ' \n', '- a\n- b', 'a\nb']) {
      await expect(readPasted(text)).rejects.toThrow('Paste an object');
    }
  });

  it('A message names the fields of the object, and not those of the review', () => {
    const message =
      'PlacementReview.winnow.dev "" is invalid: spec.object.spec.containers[0].image: Required value';
    expect(ownWords(message)).toBe('spec.containers[0].image: Required value');
  });
});

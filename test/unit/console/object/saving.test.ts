import { describe, expect, it } from '@jest/globals';
import { createdAnew, restored } from '../../../../console/object/restored.ts';
import { conflictsOf, keptFields } from '../../../../console/object/saving.ts';
import { SERVICE } from './fixture.ts';

describe('Conflicts of a server-side apply', () => {
  it('A conflict names the field and the manager', () => {
    expect(
      conflictsOf([
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "kubectl-label" using v1',
          field: '.metadata.labels.app',
        },
        { reason: 'FieldValueInvalid', message: 'no', field: 'spec' },
      ]),
    ).toEqual([{ field: 'metadata.labels.app', manager: 'kubectl-label' }]);
  });
});

describe('Fields that a server-side apply keeps', () => {
  const begun = {
    metadata: { labels: { app: 'web', tier: 'x' } },
    spec: { ports: [{ name: 'http', port: 80 }, { name: 'tls' }] },
  };

  it('A removed field that the result still has is named by its path', () => {
    const draft = { metadata: { labels: { app: 'web' } }, spec: { ports: [{ name: 'http' }] } };
    expect(keptFields(begun, draft, begun)).toEqual([
      'metadata.labels.tier',
      'spec.ports[http].port',
      'spec.ports[tls]',
    ]);
  });

  it('A removed field that the result does not have is not named, nor is a changed one', () => {
    const draft = { metadata: { labels: { app: 'cart' } }, spec: begun.spec };
    expect(keptFields(begun, draft, draft)).toEqual([]);
  });

  it('A list without names is one value', () => {
    expect(keptFields({ args: ['a', 'b'] }, { args: ['a'] }, { args: ['a'] })).toEqual([]);
  });
});

describe('A restored state', () => {
  const state = {
    ...SERVICE,
    metadata: {
      ...SERVICE.metadata,
      uid: 'u-0',
      resourceVersion: '3',
      labels: { app: 'old' },
      annotations: undefined as never,
    },
    spec: { selector: { app: 'old' } },
    status: { loadBalancer: { ingress: [] } },
  };

  it('Labels, annotations and all fields except the status are restored, and the rest is the present one', () => {
    const { metadata, ...rest } = restored({ ...SERVICE, extra: 1 }, state);
    expect(metadata).toMatchObject({
      uid: 'u-1',
      resourceVersion: '20',
      labels: { app: 'old' },
      finalizers: ['example.com/hold'],
    });
    expect(metadata.annotations).toBeUndefined();
    expect(rest).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      spec: { selector: { app: 'old' } },
      status: SERVICE.status,
    });
  });

  it('A deleted object is created without status, uid, finalizers, and owners that are gone', () => {
    expect(createdAnew(SERVICE, new Set())).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { note: 'hello' } },
      spec: SERVICE.spec,
    });
    expect(createdAnew(SERVICE, new Set(['u-root'])).metadata).toMatchObject({
      ownerReferences: [{ name: 'root' }],
    });
  });
});

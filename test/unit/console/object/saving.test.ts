import { describe, expect, it } from '@jest/globals';
import { createdAnew, restored } from '../../../../console/object/restored.ts';
import { conflictsOf, keptFields, valueAt } from '../../../../console/object/saving.ts';
import { SERVICE } from './fixture.ts';

describe('Conflicts of a server-side apply', () => {
  it('A conflict names the field and the manager, with the values of both sides', () => {
    const causes = [
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "kubectl-label" using v1',
        field: '.metadata.labels.app',
      },
      { reason: 'FieldValueInvalid', message: 'no', field: 'spec' },
    ];
    const draft = { ...SERVICE, metadata: { ...SERVICE.metadata, labels: { app: 'cart' } } };
    expect(conflictsOf(causes, { draft, present: SERVICE })).toEqual([
      { field: 'metadata.labels.app', manager: 'kubectl-label', mine: 'cart', theirs: 'web' },
    ]);
  });

  it.each([
    ['.spec.selector.app', 'web'],
    ['.spec.ports[port=80,protocol="TCP"].name', 'http'],
    ['.metadata.labels.app.kubernetes.io/name', 'shop'],
    ['.metadata.labels.app', 'web'],
    ['.metadata.finalizers[="example.com/hold"]', 'example.com/hold'],
    ['.spec.containers[name="a \\"b], c=\\""].image', 'web:2'],
    ['.spec.args[1]', 'two'],
    ['.spec.args[2]', undefined],
    ['.spec.selector.app.deeper', undefined],
    ['.spec.sel', undefined],
    ['', undefined],
  ])('The path %s of managed fields leads to %p', (path, value) => {
    const object = {
      metadata: {
        labels: { app: 'web', 'app.kubernetes.io/name': 'shop' },
        finalizers: ['other', 'example.com/hold'],
      },
      spec: {
        selector: { app: 'web' },
        args: ['one', 'two'],
        ports: [
          { name: 'dns', port: 80, protocol: 'UDP' },
          { name: 'http', port: 80, protocol: 'TCP' },
        ],
        containers: [
          { name: 'a', image: 'web:1' },
          { name: 'a "b], c="', image: 'web:2' },
        ],
      },
    };
    expect(valueAt(path === '' ? undefined : object, path)).toEqual(value);
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

import { expect, it } from '@jest/globals';
import { createdAnew, restored } from '../../../../cli/history/restored.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';

const STATE: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid: 'old',
    resourceVersion: '3',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web' },
    finalizers: ['example.com/old'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'gone' }],
  },
  data: { a: '1' },
  status: { phase: 'Old' },
};

it('an object is restored in labels, annotations and top-level fields, under its present resourceVersion', () => {
  const current: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'n',
      uid: 'new',
      resourceVersion: '9',
      labels: { app: 'other' },
      annotations: { x: 'y' },
      finalizers: ['example.com/new'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'living' }],
    },
    data: { b: '2' },
    binaryData: { c: '' },
    status: { phase: 'New' },
  };
  expect(restored(current, STATE)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'n',
      uid: 'new',
      resourceVersion: '9',
      labels: { app: 'web' },
      finalizers: ['example.com/new'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'living' }],
    },
    data: { a: '1' },
    status: { phase: 'New' },
  });
});

it('a deleted object is created anew without status, uid, finalizers, and references to owners that are gone', () => {
  const anew = { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } };
  const metadata = { name: 'a', namespace: 'n', labels: { app: 'web' } };
  expect(createdAnew(STATE, new Set())).toEqual({ ...anew, metadata });
  const { ownerReferences } = STATE.metadata as JsonObject;
  expect(createdAnew(STATE, new Set(['gone']))).toEqual({
    ...anew,
    metadata: { ...metadata, ownerReferences },
  });
});

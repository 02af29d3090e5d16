import { describe, expect, it } from '@jest/globals';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { releaseOf, removalOf } from '../../../../lib/server/objects/removal.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

const NAMESPACES: Collection = 'core/namespaces';
const MARKED = '2025-01-01T00:00:00Z';
const NOW = '2026-01-01T00:00:00Z';
const MINE = 'example.com/mine';
const clock = new OwnedClock();
const removal = (metadata: JsonObject, more: { readonly foreground?: boolean } = {}) =>
  removalOf({ metadata }, { collection: PODS, clock, ...more });

describe('The removal of an object', () => {
  it('A removal deletes an object without finalizers', () => {
    expect(removal({ generation: 2 })).toEqual({ kind: 'delete', body: { metadata: { generation: 2 } } });
    expect(removal({ finalizers: [] })).toEqual({ kind: 'delete', body: { metadata: { finalizers: [] } } });
  });

  it('A removal marks an object with finalizers', () => {
    const going = { deletionTimestamp: NOW, deletionGracePeriodSeconds: 0 };
    expect(removal({ finalizers: [MINE], generation: 2 })).toEqual({
      kind: 'put',
      body: { metadata: { finalizers: [MINE], generation: 3, ...going } },
    });
    expect(removal({ finalizers: [MINE] })).toEqual({
      kind: 'put',
      body: { metadata: { finalizers: [MINE], ...going } },
    });
  });

  it('A removal enqueues a GC task for an object that is held while others use it', () => {
    const body = { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } };
    const marking = removalOf(body, { collection: 'core/persistentvolumeclaims', clock });
    expect(marking).toMatchObject({ kind: 'put', expires: clock.now() });
    expect(removal({ finalizers: [MINE] })).not.toHaveProperty('expires');
  });

  it('A removal leaves a marked object with finalizers unchanged, and deletes a marked one without', () => {
    expect(removal({ deletionTimestamp: MARKED, finalizers: [MINE] })).toEqual({ kind: 'none' });
    expect(removal({ deletionTimestamp: MARKED })).toMatchObject({ kind: 'delete' });
  });

  it('A foreground removal waits for dependents, except for an object that orphans them', () => {
    const finalizers = (mutation: ReturnType<typeof removal>) =>
      mutation.kind === 'put' ? Object(mutation.body.metadata).finalizers : mutation.kind;
    expect(finalizers(removal({}, { foreground: true }))).toEqual(['foregroundDeletion']);
    expect(finalizers(removal({}, { foreground: false }))).toBe('delete');
    expect(finalizers(removal({ finalizers: [MINE] }, { foreground: true }))).toEqual([
      MINE,
      'foregroundDeletion',
    ]);
    expect(finalizers(removal({ finalizers: ['orphan'] }, { foreground: true }))).toEqual(['orphan']);
  });
});

describe('The removal of a namespace', () => {
  const remove = (spec: JsonObject, collection = NAMESPACES) =>
    removalOf({ metadata: {}, spec, status: { told: 1 } }, { collection, clock });

  it('A namespace reports Terminating while it has content', () => {
    expect(remove({ finalizers: ['kubernetes'] })).toMatchObject({
      kind: 'put',
      body: { metadata: { deletionTimestamp: NOW }, status: { told: 1, phase: 'Terminating' } },
    });
  });

  it('An empty namespace is deleted', () => {
    expect(remove({})).toMatchObject({ kind: 'delete' });
    expect(remove({ finalizers: [] })).toMatchObject({ kind: 'delete' });
    expect(remove({ finalizers: ['kubernetes'] }, PODS)).toMatchObject({ kind: 'delete' });
  });

  it('Other kinds report no Terminating phase', () => {
    const body = { metadata: { finalizers: [MINE] }, status: { phase: 'Running' } };
    expect(removalOf(body, { collection: PODS, clock })).toMatchObject({
      kind: 'put',
      body: { status: { phase: 'Running' } },
    });
  });
});

describe('The release of an object', () => {
  it('A release removes one finalizer, and deletes the object with the last one', () => {
    const body = { metadata: { name: 'a', finalizers: ['orphan', MINE] } };
    expect(releaseOf(body, 'orphan', PODS)).toEqual({
      kind: 'put',
      body: { metadata: { name: 'a', finalizers: [MINE] } },
    });
    const last = { metadata: { name: 'a', finalizers: ['orphan'] } };
    expect(releaseOf(last, 'orphan', PODS)).toEqual({ kind: 'delete', body: { metadata: { name: 'a' } } });
  });
});

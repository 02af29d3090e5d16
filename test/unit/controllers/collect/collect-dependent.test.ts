import { describe, expect, it } from '@jest/globals';
import { collectDependent, orphanDependent } from '../../../../lib/controllers/collect/collect-dependent.ts';
import { OwnerVerdicts } from '../../../../lib/controllers/collect/owner-verdicts.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { createCollecting, reference, SETS } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const MARKED = '2026-01-01T00:00:00Z';
const going = (finalizer: string) => ({ deletionTimestamp: MARKED, finalizers: [finalizer] });
const POD = { collection: PODS, name: nameOf('default/pod') };

function createDependent() {
  const collecting = createCollecting();
  const { options, put } = collecting;
  return {
    ...collecting,
    /** A ReplicaSet that dependents wait for, or that waits for its dependents. */
    waiting: (name: string) => put(SETS, `default/${name}`, going('foregroundDeletion')),
    there: (name: string) => put(SETS, `default/${name}`),
    pod: (owners: readonly JsonObject[], metadata: JsonObject = {}) =>
      put(PODS, 'default/pod', { ...metadata, ownerReferences: [...owners] }),
    /** An object that the pod owns. */
    sub: (metadata: JsonObject = {}) =>
      put(PODS, 'default/sub', { ...metadata, ownerReferences: [reference(PODS, 'pod')] }),
    collect: (store: Store = options.store) =>
      collectDependent({ ...options, store }, POD, new OwnerVerdicts(options)),
    orphan: (uid: string) => orphanDependent(options, POD, uid),
  };
}

describe('A check of a dependent', () => {
  it('The collector leaves a deleted or terminating dependent unchanged', async () => {
    const { collect, done, pod } = createDependent();
    await collect();
    await pod([reference(SETS, 'gone')], going('example.com/mine'));
    await collect();
    expect(done()).toEqual(['none pod', 'none pod']);
  });

  it('The collector deletes a dependent whose owners are all gone, and sends a hint', async () => {
    const { collect, done, pod, state } = createDependent();
    await pod([reference(SETS, 'gone'), reference(SETS, 'gone-too')]);
    await collect();
    expect(done()).toEqual(['delete pod', `hints ${PODS} 3`]);
    expect(await state(PODS, 'default/pod')).toBeUndefined();
  });

  it('A dependent keeps its remaining owners, and the collector sends a hint', async () => {
    const { collect, done, metadata, pod, there } = createDependent();
    await there('set');
    await pod([reference(SETS, 'gone'), reference(SETS, 'set')]);
    await collect();
    expect(done()).toEqual(['put pod', `hints ${PODS} 3`]);
    expect(await metadata(PODS, 'default/pod')).toMatchObject({ ownerReferences: [reference(SETS, 'set')] });
    await collect();
    expect(done()).toEqual(['none pod']);
  });

  it('A dependent of an owner in another namespace stays, and the collector writes an Event before it is done', async () => {
    const { collect, done, pod, put, state } = createDependent();
    await put('core/namespaces', '/default');
    await put('core/namespaces', '/other');
    await put(SETS, 'other/far');
    await pod([reference(SETS, 'far')]);
    await collect();
    expect(done()).toEqual(['none pod', expect.stringMatching(/^put pod\./), 'hints core/events 2']);
    expect(await state(PODS, 'default/pod')).toBeDefined();
  });

  it('The collector writes no Event about a dependent that was deleted during the check', async () => {
    const { collect, done, options, pod, put, state } = createDependent();
    await put('core/namespaces', '/other');
    await put(SETS, 'other/far');
    await pod([reference(SETS, 'far')]);
    const current = await state(PODS, 'default/pod');
    const twice: Store = {
      ...options.store,
      write: async (collection, name, change) => {
        await change(current);
        return options.store.write(collection, { ...name, name: 'gone' }, change);
      },
    };
    await collect(twice);
    expect(done()).toEqual(['none gone']);
  });
});

describe('A dependent whose owner waits for it', () => {
  it('The collector deletes the dependent if it owns nothing', async () => {
    const { collect, done, pod, waiting } = createDependent();
    await waiting('set');
    await pod([reference(SETS, 'set')]);
    await collect();
    expect(done()[0]).toBe('delete pod');
  });

  it('The dependent waits for its own dependents, also if another owner is gone', async () => {
    const { collect, metadata, pod, sub, waiting } = createDependent();
    await waiting('set');
    const owners = [reference(SETS, 'gone'), reference(SETS, 'set', { blockOwnerDeletion: true })];
    await pod(owners);
    await sub();
    await collect();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({
      finalizers: ['foregroundDeletion'],
      ownerReferences: owners,
    });
  });

  it('The dependent does not block its owner if its own dependent waits in turn', async () => {
    const { collect, metadata, pod, sub, waiting } = createDependent();
    await waiting('set');
    await pod([reference(SETS, 'set', { blockOwnerDeletion: true })]);
    await sub(going('foregroundDeletion'));
    await collect();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({
      finalizers: ['foregroundDeletion'],
      ownerReferences: [reference(SETS, 'set', { blockOwnerDeletion: false })],
    });
  });

  it('The dependent blocks its owner if the waiting object is gone by now', async () => {
    const { collect, metadata, pod, remove, sub, table, waiting } = createDependent();
    await waiting('set');
    await pod([reference(SETS, 'set', { blockOwnerDeletion: true })]);
    await sub();
    const { rows } = await table.query({ partition: 'owner#pod', from: '!', to: '~' });
    await remove(PODS, 'default/sub');
    for (const row of rows) await table.put(row);
    await collect();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({
      ownerReferences: [reference(SETS, 'set', { blockOwnerDeletion: true })],
    });
  });

  it('The dependent stays unchanged if its owner does not wait, whatever its own dependents wait for', async () => {
    const { collect, metadata, pod, sub } = createDependent();
    const owners = [reference(SETS, 'gone', { blockOwnerDeletion: true })];
    await pod(owners, { finalizers: ['example.com/mine'] });
    await sub(going('foregroundDeletion'));
    await collect();
    expect(await metadata(PODS, 'default/pod')).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ['example.com/mine'],
      ownerReferences: owners,
    });
  });
});

describe('A dependent that is orphaned', () => {
  it('The dependent loses only the reference to its owner', async () => {
    const { done, metadata, orphan, pod } = createDependent();
    await pod([reference(SETS, 'a'), reference(SETS, 'b')]);
    await orphan('b');
    expect(done()).toEqual(['put pod', `hints ${PODS} 3`]);
    expect(await metadata(PODS, 'default/pod')).toMatchObject({ ownerReferences: [reference(SETS, 'a')] });
    await orphan('a');
    expect(await metadata(PODS, 'default/pod')).not.toHaveProperty('ownerReferences');
  });

  it('The dependent stays unchanged if it does not name the owner, or is gone', async () => {
    const { done, orphan, pod } = createDependent();
    await orphan('a');
    await pod([reference(SETS, 'b')]);
    await orphan('a');
    expect(done()).toEqual(['none pod', 'none pod']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { checkDependents } from '../../../../lib/controllers/collect/check-dependents.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import { createCollecting, NODES, reference, SETS } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const going = (...finalizers: string[]) => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers });
const BLOCKS = { blockOwnerDeletion: true };
const MINE = 'example.com/mine';

function createLook() {
  const collecting = createCollecting();
  const { options, put } = collecting;
  return {
    ...collecting,
    /** A pod that has a reference to the set. */
    pod: (name: string, metadata: JsonObject = {}, more: JsonObject = {}) =>
      put(PODS, name, { ...metadata, ownerReferences: [reference(SETS, 'set', more)] }),
    look: (name = 'default/set', collection: Collection = SETS, uid = nameOf(name).name) =>
      checkDependents(options, { what: 'dependents', collection, name: nameOf(name), uid }),
  };
}

describe('A check of the dependents of an owner', () => {
  it('The collector deletes the dependents of a deleted owner, four at a time', async () => {
    const { gauge, look, pod, state } = createLook();
    for (let at = 0; at < 6; at += 1) await pod(`default/p${at}`);
    expect(await look()).toBe(true);
    expect(gauge.most).toBe(4);
    for (let at = 0; at < 6; at += 1) expect(await state(PODS, `default/p${at}`)).toBeUndefined();
  });

  it('The collector deletes the dependents of the former owner if another object has its name now', async () => {
    const { look, pod, put, state } = createLook();
    await put(SETS, 'default/set', { uid: 'another' });
    await pod('default/pod');
    expect(await look()).toBe(true);
    expect(await state(PODS, 'default/pod')).toBeUndefined();
  });

  it('The collector does nothing for an owner that stays', async () => {
    const { done, look, pod, put } = createLook();
    await put(SETS, 'default/set');
    await pod('default/pod');
    expect(await look()).toBe(true);
    expect(done()).toEqual([]);
  });

  it('The check fails with the first error after it tried all dependents', async () => {
    const { done, look, options, pod } = createLook();
    for (const name of ['a', 'b', 'c']) await pod(`default/${name}`);
    const { write } = options.store;
    options.store.write = async (...request) => {
      if (request[1].name === 'a') throw new Error('not now');
      return write(...request);
    };
    await expect(look()).rejects.toThrow('not now');
    expect(done().filter((call) => call.startsWith('delete'))).toEqual(['delete b', 'delete c']);
  });
});

describe('An owner that orphans its dependents', () => {
  it('The collector orphans dependents twice, one grace apart, and then deletes the owner', async () => {
    const { done, look, meanwhile, metadata, pod, put, state } = createLook();
    await put(SETS, 'default/set', going('orphan'));
    await pod('default/early');
    meanwhile.push(() => pod('default/late'));
    expect(await look()).toBe(true);
    expect(done()).toEqual([
      ...['put early', `hints ${PODS} 3`, `sleeps ${TIMING.grace}`],
      ...['put late', `hints ${PODS} 5`, 'delete set', `hints ${SETS} 3`],
    ]);
    expect(await metadata(PODS, 'default/late')).not.toHaveProperty('ownerReferences');
    expect(await state(SETS, 'default/set')).toBeUndefined();
  });

  it('An owner stays unchanged if another object has its name by then, or if it requests no orphaning', async () => {
    const another = createLook();
    await another.put(SETS, 'default/set', going('orphan'));
    another.meanwhile.push(() => another.put(SETS, 'default/set', { ...going('orphan'), uid: 'another' }));
    await another.look();
    expect(another.done()).toEqual([`sleeps ${TIMING.grace}`, 'none set']);
    const stays = createLook();
    await stays.put(SETS, 'default/set', going('orphan'));
    stays.meanwhile.push(() => stays.put(SETS, 'default/set', { finalizers: [MINE] }));
    await stays.look();
    expect(stays.done()).toEqual([`sleeps ${TIMING.grace}`, 'none set']);
  });
});

describe('An owner that waits for its dependents', () => {
  it('A waiting owner is deleted when no blocking dependent is left', async () => {
    const { look, pod, put, state } = createLook();
    await put(SETS, 'default/set', going('foregroundDeletion'));
    await pod('default/blocks', { finalizers: [MINE] }, BLOCKS);
    expect(await look()).toBe(false);
    expect(await state(SETS, 'default/set')).toBeDefined();
    await pod('default/blocks', going(MINE));
    expect(await look()).toBe(true);
    expect(await state(SETS, 'default/set')).toBeUndefined();
  });

  it('A namespaced owner waits for dependents in its namespace, a cluster-scoped owner for all dependents', async () => {
    const near = createLook();
    await near.put(SETS, 'default/set', going('foregroundDeletion'));
    await near.pod('other/far', { finalizers: [MINE] }, BLOCKS);
    expect(await near.look()).toBe(true);
    const cluster = createLook();
    await cluster.put(NODES, '/node', going('foregroundDeletion'));
    const ownerReferences = [reference(NODES, 'node', BLOCKS)];
    await cluster.put(PODS, 'default/pod', { finalizers: [MINE], ownerReferences });
    expect(await cluster.look('/node', NODES)).toBe(false);
  });

  it('The collector checks a waiting owner when a dependent is gone, whatever other owners that dependent names', async () => {
    const { look, put, state } = createLook();
    await put(NODES, '/node', going('foregroundDeletion'));
    await put(SETS, 'default/outer', { ...going('foregroundDeletion') });
    await put(SETS, 'default/stays');
    await put(SETS, 'default/set', {
      ...going('foregroundDeletion'),
      ownerReferences: [
        reference(SETS, 'unknown', { kind: 'Unknown' }),
        reference(SETS, 'gone'),
        reference(SETS, 'stays'),
        reference(SETS, 'outer', BLOCKS),
        reference(NODES, 'node', BLOCKS),
      ],
    });
    expect(await look()).toBe(true);
    expect(await state(SETS, 'default/set')).toBeUndefined();
    expect(await state(SETS, 'default/outer')).toBeUndefined();
    expect(await state(NODES, '/node')).toBeUndefined();
    expect(await state(SETS, 'default/stays')).toBeDefined();
  });

  it('The collector does not check a waiting owner while a finalizer holds its dependent', async () => {
    const { look, put, state } = createLook();
    await put(SETS, 'default/outer', going('foregroundDeletion'));
    const ownerReferences = [reference(SETS, 'outer')];
    await put(SETS, 'default/set', { ...going('foregroundDeletion', MINE), ownerReferences });
    expect(await look()).toBe(true);
    expect(await state(SETS, 'default/set')).toBeDefined();
    expect(await state(SETS, 'default/outer')).toBeDefined();
  });
});

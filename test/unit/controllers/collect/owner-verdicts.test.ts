import { describe, expect, it } from '@jest/globals';
import { OwnerVerdicts } from '../../../../lib/controllers/collect/owner-verdicts.ts';
import type { Collection } from '../../../../lib/json/index.ts';
import { ownerReferencesOf, type Store } from '../../../../lib/store/index.ts';
import { Gauge } from '../../../support/gauge.ts';
import { createCollecting, NODES, reference, SETS } from '../../../support/watch/collecting.ts';
import { nameOf } from '../../../support/watch/watch-world.ts';

const NAMESPACES: Collection = 'core/namespaces';

/** The verdicts on owners; dependents in `default` request them, unless another namespace is given. */
function createVerdicts(leaving?: ConstructorParameters<typeof OwnerVerdicts>[1]) {
  const collecting = createCollecting();
  const asked = { lists: 0, gets: 0 };
  const gauge = new Gauge();
  const { store } = collecting;
  const counting: Store = {
    ...store,
    list: (...request) => {
      asked.lists += 1;
      return store.list(...request);
    },
    get: (...request) => {
      asked.gets += 1;
      return gauge.slowly(1, () => store.get(...request));
    },
  };
  const verdicts = new OwnerVerdicts({ ...collecting.options, store: counting }, leaving);
  return {
    ...collecting,
    asked,
    gauge,
    on: (owner: Parameters<typeof reference>, namespace = 'default') => {
      const [named] = ownerReferencesOf({ metadata: { ownerReferences: [reference(...owner)] } });
      return named === undefined ? undefined : verdicts.of(named, namespace);
    },
  };
}

const going = (finalizer: string) => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] });

describe('the verdict on an owner', () => {
  it('The verdict depends on the existing object with the uid of the owner', async () => {
    const { on, put } = createVerdicts();
    await put(SETS, 'default/there');
    await put(SETS, 'default/waiting', going('foregroundDeletion'));
    await put(SETS, 'default/leaving', going('orphan'));
    await put(SETS, 'default/another', { uid: 'other' });
    expect(await on([SETS, 'there'])).toBe('there');
    expect(await on([SETS, 'waiting'])).toBe('waiting');
    expect(await on([SETS, 'leaving'])).toBe('there');
    expect(await on([SETS, 'another'])).toBe('gone');
    expect(await on([SETS, 'gone'])).toBe('gone');
  });

  it('The verdict on an owner of an unknown kind is that it exists', async () => {
    expect(await createVerdicts().on([SETS, 'x', { kind: 'Unknown' }])).toBe('there');
  });

  it('The verdict depends on namespaces: an owner is in the namespace of the dependent, or cluster-scoped', async () => {
    const { on, put } = createVerdicts();
    await put(NODES, '/node');
    await put(SETS, 'other/set');
    await put(NAMESPACES, '/other');
    expect(await on([NODES, 'node'])).toBe('there');
    expect(await on([NODES, 'node'], '')).toBe('there');
    expect(await on([NODES, 'gone'])).toBe('gone');
    expect(await on([SETS, 'set'], 'other')).toBe('there');
    expect(await on([SETS, 'set'])).toBe('elsewhere');
    expect(await on([SETS, 'gone'], '')).toBe('elsewhere');
  });

  it('The verdict is searched by uid in ten namespaces at a time', async () => {
    const { asked, gauge, on, put } = createVerdicts();
    for (let at = 0; at < 12; at += 1) await put(NAMESPACES, `/n${at}`);
    await put(SETS, 'n3/set', { uid: 'other' });
    expect(await on([SETS, 'set'])).toBe('gone');
    expect([asked.gets, gauge.most]).toEqual([12, 10]);
    await put(SETS, 'n11/late');
    expect(await on([SETS, 'late'])).toBe('elsewhere');
  });

  it('The verdict is computed once', async () => {
    const { asked, on, put } = createVerdicts();
    await put(SETS, 'default/set');
    expect(await Promise.all([on([SETS, 'set']), on([SETS, 'set'])])).toEqual(['there', 'there']);
    expect(await on([SETS, 'set'])).toBe('there');
    expect(asked.lists).toBe(1);
  });

  it('A verdict that failed is computed again', async () => {
    const verdicts = createVerdicts();
    const { list } = verdicts.store;
    let isFailing = true;
    verdicts.store.list = async (...request) => {
      if (isFailing) throw new Error('not now');
      return list(...request);
    };
    await expect(verdicts.on([SETS, 'set'])).rejects.toThrow('not now');
    isFailing = false;
    expect(await verdicts.on([SETS, 'set'])).toBe('gone');
  });
});

describe('The verdict on an owner that is known to be leaving', () => {
  const leaving = (name: string, collection = SETS) => ({
    what: 'dependents' as const,
    collection,
    name: nameOf(name),
    uid: 'u',
    verdict: 'waiting' as const,
  });

  it('The verdict says that the owner is leaving if the owner is in the same namespace', async () => {
    const near = createVerdicts(leaving('default/u'));
    expect(await near.on([SETS, 'u'])).toBe('waiting');
    expect(await near.on([SETS, 'u'], 'other')).toBe('elsewhere');
    expect(await near.on([SETS, 'v'])).toBe('gone');
    expect(await createVerdicts(leaving('/u', NODES)).on([NODES, 'u'])).toBe('waiting');
  });
});

import { describe, expect, it } from '@jest/globals';
import { checkExpiry } from '../../../../lib/controllers/collect/check-expiry.ts';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { isProtected, protectionOf } from '../../../../lib/kubernetes/lifecycle/protected-collections.ts';
import { createCollecting } from '../../../support/watch/collecting.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

const CLAIMS: Collection = 'core/persistentvolumeclaims';
const VOLUMES: Collection = 'core/persistentvolumes';
const CLAIM = 'kubernetes.io/pvc-protection';
const VOLUME = 'kubernetes.io/pv-protection';
const deletionTimestamp = '2025-01-01T00:00:00Z';

describe('Protected objects', () => {
  it('An object is protected if it is being deleted and has the finalizer of its kind', () => {
    expect([CLAIMS, VOLUMES, PODS].map(protectionOf)).toEqual([CLAIM, VOLUME, undefined]);
    const finalizers = ['example.com/mine', CLAIM];
    expect(isProtected(CLAIMS, { metadata: { deletionTimestamp, finalizers } })).toBe(true);
    const others: readonly JsonObject[] = [
      { finalizers },
      { deletionTimestamp },
      { deletionTimestamp, finalizers: CLAIM },
      { deletionTimestamp, finalizers: ['example.com/mine'] },
    ];
    for (const metadata of others) expect(isProtected(CLAIMS, { metadata })).toBe(false);
    expect(isProtected(PODS, { metadata: { deletionTimestamp, finalizers } })).toBe(false);
    expect(isProtected(VOLUMES, { metadata: { deletionTimestamp, finalizers } })).toBe(false);
  });
});

describe('A claim that is deleted', () => {
  /** Checks the claim `default/data`; returns whether the claim still exists, and whether the GC task is left. */
  async function lookWhere(...pods: readonly (readonly [name: string, spec: JsonObject])[]) {
    const { options, put, state } = createCollecting();
    await put(CLAIMS, 'default/data', { deletionTimestamp, finalizers: [CLAIM] });
    for (const [name, spec] of pods) await put(PODS, name, {}, { spec });
    const name = nameOf('default/data');
    const isHad = await checkExpiry(options, { what: 'expiry', collection: CLAIMS, name, uid: 'data' });
    return { isThere: (await state(CLAIMS, 'default/data')) !== undefined, isOwed: !isHad };
  }

  const mounting = (...volumes: readonly JsonObject[]): JsonObject => ({
    nodeName: 'node',
    volumes: [{ name: 'tmp', emptyDir: {} }, ...volumes],
  });
  const DATA = { name: 'v', persistentVolumeClaim: { claimName: 'data' } };
  const stays = { isThere: true, isOwed: true };
  const goes = { isThere: false, isOwed: false };

  it.each<[string, readonly [string, JsonObject][], object]>([
    ['no pod is there', [], goes],
    ['a pod mounts it', [['default/pod', mounting(DATA)]], stays],
    [
      'one of several does',
      [
        ['default/a', { nodeName: 'node' }],
        ['default/b', mounting(DATA)],
      ],
      stays,
    ],
    ['a pod without a node would', [['default/pod', { ...mounting(DATA), nodeName: '' }]], goes],
    ['a pod says nothing of volumes', [['default/pod', { nodeName: 'node', volumes: 'data' }]], goes],
    [
      'a pod mounts another',
      [['default/pod', mounting({ name: 'v', persistentVolumeClaim: { claimName: 'x' } })]],
      goes,
    ],
    ['a pod in another namespace does', [['other/pod', mounting(DATA)]], goes],
    ['it is a pod’s ephemeral one', [['default/da', mounting({ name: 'ta', ephemeral: {} })]], goes],
  ])('stays while it is mounted, and is looked at again: where %s', async (_, pods, expected) => {
    expect(await lookWhere(...pods)).toEqual(expected);
  });

  it('The claim may be the ephemeral claim of a pod, whose name combines both names', async () => {
    const { options, put, state } = createCollecting();
    const look = async (name: string) => {
      await put(CLAIMS, name, { deletionTimestamp, finalizers: [CLAIM] });
      const named = nameOf(name);
      await checkExpiry(options, { what: 'expiry', collection: CLAIMS, name: named, uid: named.name });
      return (await state(CLAIMS, name)) !== undefined;
    };
    const persistentVolumeClaim = { claimName: 'ignored' };
    await put(
      PODS,
      'default/pod',
      {},
      { spec: mounting({ name: 'v', ephemeral: {}, persistentVolumeClaim }) },
    );
    expect([await look('default/pod-v'), await look('default/pod-w'), await look('default/ignored')]).toEqual(
      [...[true, false, false]],
    );
  });
});

describe('a volume that is deleted', () => {
  it.each([
    ['Bound', true],
    ['Released', false],
  ])('A volume that is %s stays: %s', async (phase, stays) => {
    const { options, put, state } = createCollecting();
    const metadata = { deletionTimestamp, finalizers: [VOLUME] };
    await put(VOLUMES, '/disk', metadata, { status: { phase } });
    const name = nameOf('/disk');
    const isHad = await checkExpiry(options, { what: 'expiry', collection: VOLUMES, name, uid: 'disk' });
    expect([isHad, (await state(VOLUMES, '/disk')) !== undefined]).toEqual([!stays, stays]);
  });
});

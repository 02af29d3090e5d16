import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../../../lib/json/index.ts';
import { everything } from '../../../../lib/selectors/index.ts';
import { objectKey } from '../../../../lib/store/keys.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { Owning, SETS } from '../../../support/watch/owning.ts';
import { nameOf, PODS } from '../../../support/watch/watch-world.ts';

let memory: MemoryWorld;
let owning: Owning;

beforeEach(async () => {
  memory = await createMemoryWorld();
  owning = new Owning(memory);
  await memory.world.put('/default', {}, { spec: { finalizers: ['kubernetes'] } }, 'core/namespaces');
  await memory.world.put('/other', {}, { spec: { finalizers: ['kubernetes'] } }, 'core/namespaces');
});

const remove = (name: string, collection = SETS) => memory.world.remove(name, collection);

async function expectQuiet(): Promise<void> {
  expect(await owning.owed()).toEqual([]);
  expect(memory.world.errors).toEqual([]);
  expect(memory.world.problems).toEqual([]);
}

describe('An object whose owner is deleted', () => {
  it('The collector deletes the object without any subscription, and its own dependents in turn', async () => {
    const set = await owning.owner('default/set');
    await owning.dependent('default/pod', [set]);
    await owning.dependent('default/sub', [await owning.reference('default/pod', PODS)]);
    await owning.dependent('default/free', []);
    await memory.minutes(2);
    expect(await owning.ownersOf('default/pod')).toEqual([set.uid]);

    await remove('default/set');
    await memory.minutes(2);
    expect(await owning.state('default/pod')).toBeUndefined();
    expect(await owning.state('default/sub')).toBeUndefined();
    expect(await owning.state('default/free')).toBeDefined();
    expect(await owning.rows(`owner#${set.uid}`)).toEqual([]);
    await expectQuiet();
  });

  it('The object stays until its last owner is gone, without the references to deleted owners', async () => {
    const [first, second] = [await owning.owner('default/first'), await owning.owner('default/second')];
    await owning.dependent('default/pod', [first, second]);
    await memory.minutes(2);
    await remove('default/first');
    await memory.minutes(1);
    expect(await owning.ownersOf('default/pod')).toEqual([second.uid]);
    await remove('default/second');
    await memory.minutes(1);
    expect(await owning.state('default/pod')).toBeUndefined();
    await expectQuiet();
  });

  it('The object is marked if finalizers hold it, and is deleted with the last of them', async () => {
    const set = await owning.owner('default/set');
    const metadata = { finalizers: ['example.com/mine'], generation: 3 };
    await owning.dependent('default/pod', [set], { metadata });
    await remove('default/set');
    await memory.minutes(1);
    const marked = await owning.state('default/pod');
    expect(marked?.body.metadata).toMatchObject({ deletionTimestamp: expect.any(String), generation: 4 });
    await memory.minutes(2);
    expect((await owning.state('default/pod'))?.rv).toBe(marked?.rv);
    await expectQuiet();
  });

  it('A namespace whose owner is deleted is emptied as by its own deletion', async () => {
    const node = await owning.owner('/node', { collection: 'core/nodes' });
    await memory.world.put(
      '/owned',
      {},
      { spec: { finalizers: ['kubernetes'] }, metadata: { ownerReferences: [node] } },
      'core/namespaces',
    );
    await memory.world.put('owned/pod');
    await remove('/node', 'core/nodes');
    await memory.minutes(3);
    expect(await owning.state('/owned', 'core/namespaces')).toBeUndefined();
    expect(await owning.state('owned/pod')).toBeUndefined();
    await expectQuiet();
  });

  it('The collector deletes the object among many, over pages', async () => {
    const set = await owning.owner('default/set');
    for (let index = 0; index < 230; index += 1) await owning.dependent(`default/p${index}`, [set]);
    await remove('default/set');
    await memory.minutes(2);
    const { items } = await memory.clock.during(
      memory.world.store.list(PODS, {
        selector: everything,
      }),
    );
    expect(items).toEqual([]);
    await expectQuiet();
  });
});

describe('An object whose owner does not exist', () => {
  it('The schedule deletes the object', async () => {
    const set = await owning.owner('default/set');
    await remove('default/set');
    await owning.dependent('default/late', [set]);
    expect(await owning.owed()).toHaveLength(1);
    await memory.minutes(2);
    expect(await owning.state('default/late')).toBeUndefined();
    await expectQuiet();
  });

  it('The object is deleted if another object has the name of the owner by now', async () => {
    const set = await owning.owner('default/set');
    await remove('default/set');
    await owning.owner('default/set');
    await owning.dependent('default/late', [set]);
    await memory.minutes(2);
    expect(await owning.state('default/late')).toBeUndefined();
  });

  it('The object stays if the kind is not served here, or another owner exists', async () => {
    const set = await owning.owner('default/set');
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'widget' };
    const gone = { ...set, name: 'gone', uid: 'gone' };
    await owning.dependent('default/of-widget', [widget]);
    await owning.dependent('default/of-both', [gone, set]);
    await memory.minutes(2);
    expect(await owning.ownersOf('default/of-widget')).toEqual(['widget']);
    expect(await owning.ownersOf('default/of-both')).toEqual([set.uid]);
    await expectQuiet();
  });

  it('The object stays if its owner is only in another namespace or it has no namespace, and one Event says so', async () => {
    const set = await owning.owner('other/set');
    await owning.dependent('default/pod', [set]);
    await owning.dependent('/node', [set], { collection: 'core/nodes' });
    await memory.minutes(2);
    await remove('other/set');
    await memory.minutes(3);
    expect(await owning.ownersOf('default/pod')).toEqual([set.uid]);
    expect(await owning.ownersOf('/node', 'core/nodes')).toEqual([set.uid]);
    const { rows } = await memory.world.table.query({ partition: 'object#core/events', from: '!', to: '~' });
    const events = await Promise.all(rows.map(({ sk }) => memory.world.store.get('core/events', nameOf(sk))));
    expect(events.map((event) => event?.body)).toEqual([
      expect.objectContaining({
        reason: 'OwnerRefInvalidNamespace',
        involvedObject: expect.objectContaining({ name: 'node' }),
      }),
      expect.objectContaining({
        type: 'Warning',
        message: `ownerRef [apps/v1/ReplicaSet, namespace: default, name: set, uid: ${set.uid}] does not exist in namespace "default"`,
      }),
    ]);
    await expectQuiet();
  });
});

describe('A reference that was written before owners were tracked', () => {
  /** The references as earlier versions stored them: without rows. */
  async function stored(name: string): Promise<void> {
    const { table } = memory.world;
    const row = await table.get(objectKey(PODS, name));
    const { owners, ...old } = row ?? { pk: '', sk: '' };
    await table.put(old);
    for (const uid of JSON.parse(String(owners))) {
      await table.delete({ pk: `owner#${uid}`, sk: `${PODS}#${name}` });
    }
    for (const key of await owning.owed()) {
      const [pk = '', sk = ''] = key.split(' ');
      await table.delete({ pk, sk });
    }
  }

  it('An untracked reference deletes nothing, neither when its owner goes nor when the object is written again', async () => {
    const set = await owning.owner('default/set');
    await owning.dependent('default/pod', [set]);
    await stored('default/pod');
    await remove('default/set');
    await memory.minutes(2);
    await memory.world.put('default/pod', { changed: 'yes' });
    await memory.minutes(2);
    expect(await owning.ownersOf('default/pod')).toEqual([set.uid]);
    await expectQuiet();
  });

  it('An untracked reference keeps its object if owners that were written later are gone', async () => {
    const [old, set] = [await owning.owner('default/old'), await owning.owner('default/set')];
    await owning.dependent('default/pod', [old]);
    await stored('default/pod');
    await owning.dependent('default/pod', [old, set]);
    await remove('default/old');
    await remove('default/set');
    await memory.minutes(2);
    expect(await owning.ownersOf('default/pod')).toEqual([old.uid]);
    await expectQuiet();
  });
});

describe('An owner that is deleted in the foreground', () => {
  const foreground = (name: string, collection = SETS) => owning.mark(name, 'foregroundDeletion', collection);

  it('The owner is deleted after the dependents that block it, and after the dependents that block those', async () => {
    const set = await owning.owner('default/set');
    await owning.dependent('default/pod', [set], { blocks: true });
    await owning.dependent('default/sub', [await owning.reference('default/pod', PODS)], { blocks: true });
    await foreground('default/set');
    await memory.minutes(2);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    expect(await owning.state('default/pod')).toBeUndefined();
    expect(await owning.state('default/sub')).toBeUndefined();
    await expectQuiet();
  });

  it('The owner waits for a blocking dependent that a finalizer holds, but not for one that does not block', async () => {
    const set = await owning.owner('default/set');
    const metadata = { finalizers: ['example.com/mine'] };
    await owning.dependent('default/blocking', [set], { metadata, blocks: true });
    await owning.dependent('default/other', [set], { metadata });
    await foreground('default/set');
    await memory.minutes(2);
    expect(await owning.state('default/set', SETS)).toBeDefined();
    await memory.world.remove('default/blocking');
    await memory.minutes(1);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    expect((await owning.state('default/other'))?.body.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
    });
    await memory.minutes(1);
    await expectQuiet();
  });

  it('A dependent with another owner stays, and no longer names the deleted owner', async () => {
    const [set, stays] = [await owning.owner('default/set'), await owning.owner('default/stays')];
    await owning.dependent('default/pod', [set, stays], { blocks: true });
    await foreground('default/set');
    await memory.minutes(2);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    expect(await owning.ownersOf('default/pod')).toEqual([stays.uid]);
    await expectQuiet();
  });

  it('Owners in a cycle do not wait for ever', async () => {
    const a = await owning.owner('default/a');
    await owning.dependent('default/b', [a], { blocks: true });
    const b = await owning.reference('default/b', PODS);
    await owning.dependent('default/a', [b], { blocks: true, collection: SETS });
    await foreground('default/a');
    await memory.minutes(4);
    expect(await owning.state('default/a', SETS)).toBeUndefined();
    expect(await owning.state('default/b')).toBeUndefined();
    await expectQuiet();
  });
});

describe('An owner that orphans its dependents', () => {
  it('The owner is deleted when no dependent names it any more', async () => {
    const [set, stays] = [await owning.owner('default/set'), await owning.owner('default/stays')];
    await owning.dependent('default/pod', [set]);
    await owning.dependent('default/both', [set, stays], { blocks: true });
    await owning.mark('default/set', 'orphan');
    await memory.minutes(2);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    expect(await owning.ownersOf('default/pod')).toEqual([]);
    expect(await owning.ownersOf('default/both')).toEqual([stays.uid]);
    await memory.minutes(2);
    expect(await owning.state('default/pod')).toBeDefined();
    await expectQuiet();
  });

  it('The owner stays as long as another finalizer holds it', async () => {
    const set = await owning.owner('default/set', { metadata: { finalizers: ['example.com/mine'] } });
    await owning.dependent('default/pod', [set]);
    await owning.mark('default/set', 'orphan');
    await memory.minutes(2);
    const state = await owning.state('default/set', SETS);
    expect(state?.body.metadata).toMatchObject({ finalizers: ['example.com/mine'] });
    expect(await owning.ownersOf('default/pod')).toEqual([]);
    await expectQuiet();
  });
});

describe('the rows of owners', () => {
  it('The rows of owners match the references of an object', async () => {
    const [first, second] = [await owning.owner('default/first'), await owning.owner('default/second')];
    const rows = () => owning.rows(`owner#${first.uid}`, `owner#${second.uid}`);
    await owning.dependent('default/pod', [first, first, second]);
    expect(await rows()).toEqual([
      `owner#${first.uid} core/pods#default/pod`,
      `owner#${second.uid} core/pods#default/pod`,
    ]);
    await owning.dependent('default/pod', [second]);
    expect(await rows()).toEqual([`owner#${second.uid} core/pods#default/pod`]);
    await memory.world.remove('default/pod');
    expect(await rows()).toEqual([]);
  });
});

describe('An owner of a kind that is not served any more', () => {
  const DEVICES: Collection = 'example.com/devices';

  it('The owner takes its dependents with it, but a missing owner of such a kind counts as present', async () => {
    await memory.world.store.write(DEVICES, nameOf('default/device'), () => ({
      kind: 'put',
      body: { metadata: { ...nameOf('default/device'), uid: 'device' } },
    }));
    const device = { apiVersion: 'example.com/v1', kind: 'Device', name: 'device', uid: 'device' };
    await owning.dependent('default/pod', [device]);
    await owning.dependent('default/other', [{ ...device, uid: 'never' }]);
    await memory.minutes(2);
    expect(await owning.ownersOf('default/pod')).toEqual(['device']);
    await memory.world.remove('default/device', DEVICES);
    await memory.minutes(1);
    expect(await owning.ownersOf('default/pod')).toBeUndefined();
    expect(await owning.ownersOf('default/other')).toEqual(['never']);
    await expectQuiet();
  });
});

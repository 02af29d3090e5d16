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

describe('an object whose owner is deleted', () => {
  it('is deleted, though nobody subscribes, and what it owns in turn', async () => {
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

  it('stays until the last of its owners is gone, without the references to those that are', async () => {
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

  it('is marked where finalizers hold it, and goes with the last of them', async () => {
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

  it('that is a namespace is emptied as by its own deletion', async () => {
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

  it('is deleted among many, over pages', async () => {
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

describe('an object that names an owner that is not there', () => {
  it('is deleted when the schedule comes', async () => {
    const set = await owning.owner('default/set');
    await remove('default/set');
    await owning.dependent('default/late', [set]);
    expect(await owning.owed()).toHaveLength(1);
    await memory.minutes(2);
    expect(await owning.state('default/late')).toBeUndefined();
    await expectQuiet();
  });

  it('is deleted where another has the owner’s name by now', async () => {
    const set = await owning.owner('default/set');
    await remove('default/set');
    await owning.owner('default/set');
    await owning.dependent('default/late', [set]);
    await memory.minutes(2);
    expect(await owning.state('default/late')).toBeUndefined();
  });

  it('stays where the kind is not served here, or another owner is there', async () => {
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

  it('stays where the owner is only in another namespace, or it has none itself: an Event says so, once', async () => {
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

describe('a reference that was written before owners were tracked', () => {
  /** As earlier versions stored it: without rows. */
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

  it('deletes nothing: not when its owner goes, nor when the object is written again', async () => {
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

  it('keeps its object where owners that were written since are gone', async () => {
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

describe('an owner that is deleted in the foreground', () => {
  const foreground = (name: string, collection = SETS) => owning.mark(name, 'foregroundDeletion', collection);

  it('goes after the dependents that block it, and after those that block them', async () => {
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

  it('waits for a blocking dependent that a finalizer holds, and not for one that does not block', async () => {
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

  it('leaves what has another owner, which no longer names it', async () => {
    const [set, stays] = [await owning.owner('default/set'), await owning.owner('default/stays')];
    await owning.dependent('default/pod', [set, stays], { blocks: true });
    await foreground('default/set');
    await memory.minutes(2);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    expect(await owning.ownersOf('default/pod')).toEqual([stays.uid]);
    await expectQuiet();
  });

  it('does not wait for ever in a circle', async () => {
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

describe('an owner that leaves its dependents behind', () => {
  it('goes when none of them names it any more', async () => {
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

  it('stays as long as something else holds it', async () => {
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
  it('are those of the references that an object has', async () => {
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

describe('an owner of a kind that is not served any more', () => {
  const DEVICES: Collection = 'example.com/devices';

  it('takes its dependents with it, and counts as there where it is not', async () => {
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

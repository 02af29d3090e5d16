import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { createTallyWorld } from '../../support/watch/tally-world.ts';

const teams = (team: string): JsonObject => ({ namespaceSelector: { matchLabels: { team } } });

/** Creates pods in the namespaces of teams, and a Tally of one team's pods. */
async function createTeams(spec: JsonObject = teams('pink')) {
  const memory = await createTallyWorld();
  const { world, pump, status } = memory;
  const label = (namespace: string, team: string) => world.put(`/${namespace}`, { team }, {}, NAMESPACES);
  await label('alpha', 'pink');
  await label('beta', 'blue');
  await label('gamma', 'pink');
  for (const name of ['alpha/a', 'beta/b', 'beta/c', 'gamma/g']) await world.put(name, { app: 'x' });
  await memory.tally(spec);
  await pump();
  return { ...memory, label, count: async () => (await status()).count };
}

describe('the namespaceSelector of a Tally', () => {
  it('a Tally counts the objects of the matching namespaces, and names these', async () => {
    const { world, pump, count, status } = await createTeams();
    expect(await count()).toBe(2);
    await world.put('gamma/h');
    await world.put('beta/d');
    await pump();
    expect(await count()).toBe(3);
    expect((await status()).conditions).toContainEqual(
      expect.objectContaining({
        type: 'NamespacesFollowed',
        status: 'True',
        message: 'selected: alpha, gamma',
      }),
    );
  });

  it('a Tally follows the labels of namespaces, and new and deleted namespaces', async () => {
    const { world, label, pump, count } = await createTeams();
    await label('beta', 'pink');
    await pump();
    expect(await count()).toBe(4);
    await label('alpha', 'blue');
    await pump();
    expect(await count()).toBe(3);
    await world.put('delta/d');
    await label('delta', 'pink');
    await pump();
    expect(await count()).toBe(4);
    await world.remove('delta/d');
    await world.remove('/delta', NAMESPACES);
    await pump();
    expect(await count()).toBe(3);
    for (const namespace of ['beta', 'gamma']) await label(namespace, 'green');
    await pump();
    expect(await count()).toBe(0);
    await world.put('beta/late');
    await pump();
    expect(await count()).toBe(0);
  });

  it('the groups and bounds of a Tally cover only the selected namespaces', async () => {
    const { label, pump, status } = await createTeams({
      ...teams('pink'),
      groupBy: ['app'],
      bounds: { max: 2 },
    });
    expect(await status()).toMatchObject({ phase: 'Within', groups: [{ count: 2, labels: { app: 'x' } }] });
    await label('beta', 'pink');
    await pump();
    expect(await status()).toMatchObject({ phase: 'Above', groups: [{ count: 4, labels: { app: 'x' } }] });
  });

  it('the namespaceSelector of a Tally can be edited', async () => {
    const { edit, pump, count, status } = await createTeams();
    await edit({ ...teams('blue'), labelSelector: 'app=x' });
    await pump();
    expect(await status()).toMatchObject({ observedGeneration: 2, count: 2 });
    await edit({ namespaceSelector: null, namespaces: 'All' });
    await pump();
    expect(await count()).toBe(4);
    expect((await status()).conditions).toEqual([expect.objectContaining({ type: 'WithinBounds' })]);
    await edit({ namespaceSelector: {}, namespaces: null });
    await pump();
    expect(await count()).toBe(4);
  });

  it('the tick applies a change of labels whose message was lost', async () => {
    const { world, label, pump, minutes, count, status } = await createTeams();
    world.faults.send = (url) => (url.includes('reconcile') ? new Error('not now') : undefined);
    await label('beta', 'pink');
    await pump();
    world.faults.send = undefined;
    expect(await count()).toBe(2);
    await minutes(1);
    expect(await count()).toBe(4);
    const told = await status();
    await minutes(1);
    expect(await status()).toEqual(told);
  });

  it('a Tally that selects too many namespaces reports it, and keeps the namespaces of before', async () => {
    const { world, label, pump, count, status } = await createTeams();
    for (let at = 0; at < 499; at += 1) await label(`n${at}`, 'pink');
    await pump();
    await world.put('n7/unseen');
    await world.put('gamma/h');
    await pump();
    expect(await count()).toBe(3);
    expect((await status()).conditions).toContainEqual(
      expect.objectContaining({ type: 'NamespacesFollowed', status: 'False', reason: 'TooMany' }),
    );
    await label('alpha', 'blue');
    await pump();
    expect(await count()).toBe(3);
    expect((await status()).conditions).toContainEqual(
      expect.objectContaining({ type: 'NamespacesFollowed', status: 'True' }),
    );
  });
});

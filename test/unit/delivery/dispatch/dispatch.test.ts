import { describe, expect, it } from '@jest/globals';
import type { ObjectState } from '../../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { matchingPods } from '../../../support/watch/model.ts';

const apps = ['x', 'y'];
const asking = (app: string) => ({ start: 'snapshot', selector: { matchLabels: { app } } });
const has =
  (app: string) =>
  ({ name, labels }: ObjectState) =>
    name.namespace === 'default' && labels.app === app;

/** Creates a world in which several long-lived dispatchers deliver the changes in turn. */
async function createLife(dispatchers: number) {
  const memory = await createMemoryWorld();
  const { world } = memory;
  const all = Array.from({ length: dispatchers }, () => world.newDispatcher());
  let turns = 0;
  const settle = async () => {
    world.dispatcher = all[turns++ % all.length] ?? world.dispatcher;
    await memory.pump();
  };
  /** Makes objects enter, change, leave and be deleted, in every way that concerns one of the two apps. */
  const churn = async () => {
    for (const [at, app] of apps.entries()) {
      await world.put(`default/moving${at}`, { app });
      await settle();
      await world.put(`default/moving${at}`, { app: apps[1 - at] ?? '' });
      await world.put(`default/staying${at}`, { app, turn: `${turns}` });
      await world.put(`elsewhere/staying${at}`, { app });
      await settle();
      await world.remove(`default/moving${at}`);
      await settle();
    }
  };
  return { ...memory, settle, churn };
}

async function expectKnown({ world }: MemoryWorld, name: string, app: string): Promise<void> {
  const { known, repeats } = await world.consume(name);
  expect(known).toEqual(await matchingPods(world, has(app)));
  expect(repeats).toEqual([]);
  expect(await world.statusOf(name)).toMatchObject({ phase: 'Synced' });
}

describe.each([
  ['a dispatcher that lives on', 1],
  ['two dispatchers that take turns', 2],
])('%s', (_, dispatchers) => {
  it('a dispatcher follows the selectors of subscriptions after each edit', async () => {
    const life = await createLife(dispatchers);
    const { world, settle, churn } = life;
    await world.subscribe('edited', asking('x'));
    await world.subscribe('kept', asking('x'));
    await churn();
    for (const app of ['y', 'x', 'y']) {
      await world.edit('edited', { selector: { matchLabels: { app } } });
      await settle();
      await churn();
      await expectKnown(life, 'edited', app);
    }
    await expectKnown(life, 'kept', 'x');
    expect(world.errors).toEqual([]);
  });

  it('a dispatcher distinguishes a deleted subscription from a new one of the same name', async () => {
    const life = await createLife(dispatchers);
    const { world, settle, churn } = life;
    await world.subscribe('again', asking('x'));
    await churn();
    await world.unsubscribe('again');
    await settle();
    await world.subscribe('again', asking('y'));
    await churn();
    await expectKnown(life, 'again', 'y');
    expect(world.errors).toEqual([]);
  });

  it('a dispatcher continues with a subscription that restarted or fell back', async () => {
    const life = await createLife(dispatchers);
    const { world, queues, clock, settle, churn, minutes } = life;
    await world.subscribe('lost', asking('x'));
    await world.subscribe('failing', asking('x'));
    await churn();
    await queues.delete(await world.queueOf('lost'));
    world.faults.send = (url) => (url.includes('-failing-') ? [0] : undefined);
    await world.put('default/seen', { app: 'x' });
    await settle();
    expect(await world.rowOf('failing')).toMatchObject({ membership: 'catching-up' });
    world.faults.send = undefined;
    await churn();
    clock.advance(10_000);
    await minutes(1);
    await churn();
    expect(await world.rowOf('lost')).toMatchObject({ start: 2, membership: 'synced' });
    expect(await world.rowOf('failing')).toMatchObject({ start: 1, attempt: 1, membership: 'synced' });
    await expectKnown(life, 'lost', 'x');
    await expectKnown(life, 'failing', 'x');
  });
});

describe('a dispatch round', () => {
  it('a dispatch round uses only the queues and rows that its changes concern', async () => {
    const { world, pump } = await createMemoryWorld();
    for (const name of ['a', 'b', 'c']) await world.subscribe(name, asking(name));
    await pump();
    const rows = await world.states();
    const sent: string[] = [];
    world.faults.send = (url) => void sent.push(url);
    await world.put('default/p', { app: 'b' });
    await pump();
    expect(sent).toEqual([await world.queueOf('b')]);
    expect(await world.states()).toEqual(rows);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createMemoryWorld, type MemoryWorld } from '../../support/watch/memory-world.ts';
import { misnumbered, numbered } from '../../support/watch/misnumbered.ts';
import { matchingPods } from '../../support/watch/model.ts';

/** Runs the lives of three subscriptions. Faults of the world may interrupt them. */
async function live({ world, queues, pump }: MemoryWorld): Promise<void> {
  await world.put('default/a', { app: 'x' });
  await world.put('default/b', { app: 'y' });
  await world.put('other/c', { app: 'x' });
  const selector = { matchLabels: { app: 'x' } };
  await world.subscribe('snapshot', { start: 'snapshot', verify: true, selector });
  await world.subscribe('all', { start: 'snapshot', namespaces: 'All' });
  await pump();
  await world.put('default/d', { app: 'x' });
  await world.put('default/a', { app: 'y' });
  await world.remove('default/b');
  await pump();
  await world.edit('snapshot', { selector: { matchLabels: { app: 'y' } } });
  await pump();
  await queues.delete(await world.queueOf('all'));
  await world.put('default/e', { app: 'y' });
  await pump();
  await world.subscribe('brief');
  await pump();
  await world.unsubscribe('brief');
  await pump();
}

/** Expects the final state, which must be the same after any faults. */
async function expectConvergence({ world, queues }: MemoryWorld): Promise<void> {
  const snapshot = await world.consume('snapshot');
  expect(snapshot.known).toEqual(
    await matchingPods(world, ({ name, labels }) => name.namespace === 'default' && labels.app === 'y'),
  );
  expect(misnumbered(numbered(snapshot))).toEqual([]);
  const all = await world.consume('all');
  expect(all.known).toEqual(await matchingPods(world, () => true));
  expect(await world.statusOf('snapshot')).toMatchObject({ phase: 'Synced', observedGeneration: 2 });
  expect(await world.statusOf('all')).toMatchObject({ phase: 'Synced' });
  expect(await world.subscription('brief')).toBeUndefined();
  expect(await world.states()).toHaveLength(2);
  const expected = [await world.queueOf('snapshot'), await world.queueOf('all')];
  expect(queues.urls().slice(2).sort()).toEqual(expected.sort());
}

/**
 * When to crash at a call: before it or after it. The variable WINNOW_CRASHES chooses every third call (`some`), one
 * crash at each call (`half`), or both (`all`).
 */
function whens(number: number): readonly ('before' | 'after')[] {
  const { WINNOW_CRASHES: share = 'some' } = process.env;
  if (share === 'all') return ['before', 'after'];
  if (share === 'some' && number % 3 !== 0) return [];
  return number % 2 === 0 ? ['before'] : ['after'];
}

describe('a crash', () => {
  it('subscriptions converge after a crash before or after any call', async () => {
    const calm = await createMemoryWorld();
    await live(calm);
    expect(calm.world.errors).toEqual([]);
    await expectConvergence(calm);
    const count = calm.world.faults.calls.length;
    expect(count).toBeGreaterThan(200);

    for (let number = 0; number < count; number += 1) {
      for (const when of whens(number)) {
        const memory = await createMemoryWorld();
        memory.world.faults.crash = (_, call) => (call === number ? when : undefined);
        await live(memory);
        await memory.minutes(3);
        try {
          expect(memory.world.faults.crashes).toBe(1);
          await expectConvergence(memory);
        } catch (cause) {
          throw new Error(`${when} call ${number}, ${calm.world.faults.calls[number]}: ${cause}`, { cause });
        }
      }
    }
  });
});

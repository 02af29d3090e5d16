import { describe, expect, it } from '@jest/globals';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { Owning, SETS } from '../../../support/watch/owning.ts';
import { PODS } from '../../../support/watch/watch-world.ts';

/** Owners with each kind of deletion, and dependents of each kind. */
async function live(memory: MemoryWorld): Promise<void> {
  const { world } = memory;
  const owning = new Owning(memory);
  await world.put('/default', {}, { spec: { finalizers: ['kubernetes'] } }, 'core/namespaces');
  const [gone, swept, left, stays] = [
    await owning.owner('default/gone'),
    await owning.owner('default/swept'),
    await owning.owner('default/left'),
    await owning.owner('default/stays'),
  ];
  await owning.dependent('default/of-gone', [gone]);
  await owning.dependent('default/of-it', [await owning.reference('default/of-gone', PODS)]);
  await owning.dependent('default/of-two', [gone, stays]);
  await owning.dependent('default/of-swept', [swept], { blocks: true });
  await owning.dependent('default/of-left', [left]);
  await memory.minutes(1);
  await world.remove('default/gone', SETS);
  await owning.mark('default/swept', 'foregroundDeletion');
  await owning.mark('default/left', 'orphan');
  await memory.minutes(1);
  await owning.dependent('default/late', [gone]);
  await memory.minutes(1);
}

/** What must hold at the end, whatever happened before. */
async function expectCollected(memory: MemoryWorld): Promise<void> {
  const owning = new Owning(memory);
  const { uid } = await owning.reference('default/stays');
  const names = ['of-gone', 'of-it', 'of-two', 'of-swept', 'of-left', 'late'];
  const owners = await Promise.all(names.map((name) => owning.ownersOf(`default/${name}`)));
  const found = Object.fromEntries(names.map((name, index) => [name, owners[index]]));
  expect(found).toEqual({
    'of-gone': undefined,
    'of-it': undefined,
    'of-two': [uid],
    'of-swept': undefined,
    'of-left': [],
    late: undefined,
  });
  for (const name of ['gone', 'swept', 'left']) {
    expect(await owning.state(`default/${name}`, SETS)).toBeUndefined();
  }
  expect(await owning.owed()).toEqual([]);
}

/** The crash happens before the call or after it: at every sixth call, at each call in one way (`half`), or `all`. */
function whens(number: number): readonly ('before' | 'after')[] {
  const { WINNOW_CRASHES: share = 'some' } = process.env;
  if (share === 'all') return ['before', 'after'];
  if (share === 'some' && number % 6 !== 0) return [];
  return Math.floor(number / 6) % 2 === 0 ? ['before'] : ['after'];
}

describe('A crash of the collector', () => {
  it('A crash before or after any call does not keep dependents from being collected', async () => {
    const calm = await createMemoryWorld();
    await live(calm);
    await calm.minutes(2);
    expect(calm.world.errors).toEqual([]);
    await expectCollected(calm);
    const count = calm.world.faults.calls.length;
    expect(count).toBeGreaterThan(200);

    for (let number = 0; number < count; number += 1) {
      for (const when of whens(number)) {
        const memory = await createMemoryWorld();
        memory.world.faults.crash = (_, call) => (call === number ? when : undefined);
        await live(memory);
        await memory.minutes(5);
        try {
          expect(memory.world.faults.crashes).toBe(1);
          await expectCollected(memory);
        } catch (cause) {
          throw new Error(`${when} call ${number}, ${calm.world.faults.calls[number]}: ${cause}`, { cause });
        }
      }
    }
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, JsonObject } from '../../../../lib/json/index.ts';
import { expiryOf } from '../../../../lib/kubernetes/lifecycle/index.ts';
import { lookKey } from '../../../../lib/store/keys.ts';
import { createMemoryWorld, type MemoryWorld } from '../../../support/watch/memory-world.ts';
import { Owning, SETS } from '../../../support/watch/owning.ts';
import { nameOf } from '../../../support/watch/watch-world.ts';

const JOBS: Collection = 'batch/jobs';

let memory: MemoryWorld;
let owning: Owning;
/** Runs before reconcile queries a partition. */
let beforeQuery: ((partition: string) => void) | undefined;

beforeEach(async () => {
  beforeQuery = undefined;
  memory = await createMemoryWorld(1, {
    reach: (_owner, { table, queues }) => ({
      queues,
      table: {
        ...table,
        query: async (request) => {
          beforeQuery?.(request.partition);
          return table.query(request);
        },
      },
    }),
  });
  owning = new Owning(memory);
  await memory.world.put('/default', {}, { spec: { finalizers: ['kubernetes'] } }, 'core/namespaces');
});

describe('An owner that orphans its dependents', () => {
  it('The owner orphans a dependent that was being written when the owner was marked', async () => {
    const set = await owning.owner('default/set');
    await owning.mark('default/set', 'orphan');
    const [owed = ''] = await owning.owed();
    const shard = Number(owed.charAt('looks#'.length));
    const work = memory.world.reconciler.reconcile({ kind: 'collect', shard });
    while (memory.clock.sleepers === 0) await new Promise(setImmediate);
    await owning.dependent('default/late', [set]);
    await memory.clock.during(work);
    expect(await owning.state('default/set', SETS)).toBeUndefined();
    await memory.minutes(2);
    expect(await owning.ownersOf('default/late')).toEqual([]);
  });
});

describe('A GC task', () => {
  it('A failed GC task stays and delays no other task', async () => {
    const sets = [await owning.owner('default/a'), await owning.owner('default/b')];
    for (const [index, set] of sets.entries()) await owning.dependent(`default/p${index}`, [set]);
    await memory.minutes(1);
    const refused = `owner#${sets[0]?.uid}`;
    beforeQuery = (partition) => {
      if (partition === refused) throw new Error('not now');
    };
    await memory.world.remove('default/a', SETS);
    await memory.world.remove('default/b', SETS);
    await memory.minutes(2);
    expect([await owning.ownersOf('default/p0'), await owning.ownersOf('default/p1')]).toEqual([
      [sets[0]?.uid],
      undefined,
    ]);
    expect(await owning.owed()).toHaveLength(1);
    beforeQuery = undefined;
    await memory.minutes(1);
    expect(await owning.ownersOf('default/p0')).toBeUndefined();
    expect(await owning.owed()).toEqual([]);
  });

  it('A GC task that ran out of time continues in another invocation', async () => {
    const set = await owning.owner('default/set');
    await owning.dependent('default/pod', [set]);
    await memory.minutes(1);
    await memory.world.remove('default/set', SETS);
    const [owed = ''] = await owning.owed();
    const shard = Number(owed.charAt('looks#'.length));
    const over = new AbortController();
    beforeQuery = (partition) => {
      if (partition.startsWith('owner#')) over.abort();
    };
    await memory.clock
      .during(memory.world.reconciler.reconcile({ kind: 'collect', shard }, over.signal))
      .catch(() => {});
    beforeQuery = undefined;
    expect(await owning.owed()).toHaveLength(1);
    await memory.minutes(1);
    expect(await owning.state('default/pod')).toBeUndefined();
  });
});

describe('a finished Job', () => {
  const ended = (minutes: number) => new Date(memory.clock.now() - minutes * 60_000).toISOString();

  function job(ttl: number | undefined, minutes: number, type = 'Complete'): JsonObject {
    const conditions = [{ type, status: 'True', lastTransitionTime: ended(minutes) }];
    return {
      kind: 'Job',
      spec: ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl },
      status: { conditions },
    };
  }

  /** The Job as the API writes it. */
  const write = (name: string, body: JsonObject) =>
    memory.world.store.write(JOBS, nameOf(name), (current) => {
      const metadata = { uid: `uid-of-${name}`, ...nameOf(name) };
      const expires = expiryOf(JOBS, body);
      const isNew = expires !== undefined && expires !== expiryOf(JOBS, current?.body ?? {});
      return { kind: 'put', body: { ...body, metadata }, ...(isNew ? { expires } : {}) };
    });

  const isThere = async (name: string) => (await owning.state(name, JOBS)) !== undefined;

  it('A finished Job is deleted when its time is over, whether it is complete or failed', async () => {
    await write('default/now', job(0, 0));
    await write('default/failed', job(100, 1, 'Failed'));
    await write('default/later', job(600, 0));
    await write('default/never', job(undefined, 5));
    await write('default/running', job(0, 5, 'Suspended'));
    await memory.minutes(2);
    expect(await isThere('default/now')).toBe(false);
    expect(await isThere('default/failed')).toBe(false);
    expect(await isThere('default/later')).toBe(true);
    await memory.minutes(10);
    expect(await isThere('default/later')).toBe(false);
    expect(await isThere('default/never')).toBe(true);
    expect(await isThere('default/running')).toBe(true);
    expect(await owning.owed()).toEqual([]);
  });

  it('A Job that got more time, or that was replaced, stays for as long', async () => {
    await write('default/longer', job(60, 0));
    await write('default/longer', job(600, 0));
    await write('default/again', job(60, 0));
    await memory.world.remove('default/again', JOBS);
    await memory.world.put('default/again', {}, job(undefined, 0), JOBS);
    await memory.minutes(3);
    expect(await isThere('default/longer')).toBe(true);
    expect(await isThere('default/again')).toBe(true);
    await memory.minutes(10);
    expect(await isThere('default/longer')).toBe(false);
  });

  it('A finished Job is deleted after its dependents', async () => {
    await write('default/owner', job(60, 0));
    const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'owner', uid: 'uid-of-default/owner' };
    await owning.dependent('default/pod', [reference], { blocks: true });
    await memory.minutes(4);
    expect(await isThere('default/owner')).toBe(false);
    expect(await owning.state('default/pod')).toBeUndefined();
    expect(await owning.owed()).toEqual([]);
  });
});

describe('The keys of GC tasks', () => {
  it('The keys of GC tasks sort by due time', () => {
    const keyOf = (due: number) => lookKey({ due, what: 'expiry', collection: JOBS, rv: 7 }).sk;
    const dues = [-5, 0, 999, 1_767_225_600_000, 1_767_225_600_001];
    expect(dues.map(keyOf).sort()).toEqual(dues.map(keyOf));
  });
});

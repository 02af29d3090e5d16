import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBinder } from '../../../../lib/controllers/binding/index.ts';
import { readWorld, type SnapshotPolicy } from '../../../../lib/controllers/world-snapshots/index.ts';
import { type Collection, type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { type Pod, place, type World } from '../../../../lib/placement/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { WorldCache, type WorldChange } from '../../../../lib/server/index.ts';
import { restoreTable } from '../../../../lib/server/restore/index.ts';
import {
  createStore,
  type Key,
  placerKey,
  type QueryRequest,
  type Row,
  snapshotChunkKey,
  snapshotKey,
  type Table,
} from '../../../../lib/store/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';
import { TornCopy } from '../../../support/store/torn-copy.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const HOUR = 3_600_000;
/** A snapshot of few objects, after few changes, in several chunks. */
const POLICY: SnapshotPolicy = { leastObjects: 5, changes: 10, renewal: 12 * HOUR, chunk: 400 };
const PODS = '/api/v1/namespaces/default/pods';
const ASKED: Pod = { metadata: { name: 'x', namespace: 'default' }, spec: { nodeSelector: { disk: 'ssd' } } };

let api: MemoryApi;
let table: Table;

beforeEach(async () => {
  api = await createMemoryApi();
  ({ table } = api.memory.world);
});

const storeOver = (over: Table) =>
  createStore({ table: over, clock: api.memory.clock, random: seeded(3), logger: silentLogger });

/** A process that binds, and knows nothing yet. */
function binderOver(over: Table, seed = 7, snapshots: SnapshotPolicy | 'none' = POLICY) {
  const { clock } = api.memory;
  return createBinder({
    table: over,
    store: storeOver(over),
    clock,
    random: seeded(seed),
    logger: silentLogger,
    hints: { announce: async () => {} },
    schedulerName: 'winnow',
    snapshots: snapshots === 'none' ? undefined : snapshots,
  });
}

const bind = (over = table, seed = 7, policy?: SnapshotPolicy | 'none') =>
  api.memory.clock.during(binderOver(over, seed, policy).bind({ waits: true, time: 60_000 }));

async function addNode(name: string, labels: Record<string, string> = {}) {
  const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
  const status = { allocatable, conditions: [{ type: 'Ready', status: 'True' }] };
  const node = await api.ask('POST', '/api/v1/nodes', { metadata: { name, labels }, status });
  await api.ask('PUT', `/api/v1/nodes/${name}/status`, node);
}

const addPod = (name: string, spec: JsonObject = {}) =>
  api.ask('POST', PODS, { metadata: { name }, spec: { ...podSpec(), schedulerName: 'winnow', ...spec } });
const nodeOf = async (name: string) => objectAt((await api.ask('GET', `${PODS}/${name}`)).spec).nodeName;

/** Two nodes, pods on them, one pod without a node, and enough changes for a world snapshot. */
async function fill(): Promise<void> {
  await addNode('a', { disk: 'ssd' });
  await addNode('b');
  for (let number = 0; number < 6; number += 1) await addPod(`p${number}`);
  await addPod('picky', { nodeSelector: { disk: 'tape' } });
}

interface Counted extends Table {
  /** The partitions that were read, in order. */
  readonly read: string[];
  /** The rows that were put, in order. */
  readonly put_: Row[];
}

/** The same table, which records its requests and fails to put the rows that `fails` matches. */
function counted(fails: (row: Row) => boolean = () => false): Counted {
  const read: string[] = [];
  const put_: Row[] = [];
  return {
    ...table,
    read,
    put_,
    get: (key: Key) => {
      read.push(key.pk);
      return table.get(key);
    },
    query: (request: QueryRequest) => {
      read.push(request.partition);
      return table.query(request);
    },
    put: async (row, condition) => {
      if (fails(row)) throw new Error('no more');
      put_.push(row);
      return table.put(row, condition);
    },
  };
}

/** What a starting process answers, the changes that it read, and the objects that it read. */
async function started(over = counted()) {
  const told: WorldChange[] = [];
  const kept = new WorldCache({
    logger: silentLogger,
    makeBeside: () => ({ tell: (change: WorldChange) => void told.push(change) }),
  });
  const source = { read: () => readWorld(over) };
  const { world } = await api.memory.clock.during(kept.current(storeOver(over), source));
  const listed = over.read.filter((pk) => pk.startsWith('object#'));
  return { world, listed, told };
}

/** The whole content of a world. */
function answers(world: World): unknown {
  return [place(ASKED, world), place({ ...ASKED, spec: {} }, world)];
}

async function listedWorld(): Promise<World> {
  const kept = new WorldCache({ logger: silentLogger, makeBeside: () => ({ tell: () => {} }) });
  return (await api.memory.clock.during(kept.current(storeOver(table)))).world;
}

describe('A process that starts', () => {
  it('A starting process reads the stored world and the later changes, but no objects', async () => {
    await fill();
    await bind();
    await addPod('later', { nodeName: 'a' });
    await api.ask('DELETE', `${PODS}/p1?gracePeriodSeconds=0`);
    const { world, listed } = await started();
    expect(listed).toEqual([]);
    expect(answers(world)).toEqual(answers(await listedWorld()));
  });

  it('A starting process binds the pods that waited when the world was stored', async () => {
    await fill();
    await bind();
    await addNode('c', { disk: 'tape' });
    const over = counted();
    await bind(over, 8);
    expect(await nodeOf('picky')).toBe('c');
    expect(over.read.filter((pk) => pk.startsWith('object#core/nodes'))).toEqual([]);
  });

  it.each<[string, (header: Row) => Promise<unknown>]>([
    ['lacks a chunk', ({ id }) => table.delete(snapshotChunkKey(String(id), 1))],
    ['has a chunk of another one', ({ id }) => spoil(String(id), { id: 'another' })],
    ['has a chunk of another time', ({ id }) => spoil(String(id), { upTo: '{}' })],
    ['has another form', (header) => table.put({ ...header, form: 'another' })],
    ['is ahead of the table', (header) => table.put({ ...header, upTo: '{"core/pods":9999}' })],
  ])('reads the objects where what was kept %s', async (_what, damage) => {
    await fill();
    await bind();
    await damage({ ...snapshotKey, ...(await table.get(snapshotKey)) });
    const { world, listed } = await started();
    expect(listed).not.toEqual([]);
    expect(answers(world)).toEqual(answers(await listedWorld()));
  });

  it('A starting process reads the objects if the journal does not reach back to the stored world', async () => {
    await fill();
    await bind();
    await addPod('later', { nodeName: 'a' });
    await compact('core/pods');
    const { world, listed } = await started();
    expect(listed).not.toEqual([]);
    expect(answers(world)).toEqual(answers(await listedWorld()));
  });

  async function spoil(id: string, change: Partial<Row>): Promise<void> {
    const key = snapshotChunkKey(id, 0);
    await table.put({ ...key, ...(await table.get(key)), ...change } as Row);
  }

  async function compact(collection: Collection): Promise<void> {
    const head = await api.memory.world.store.head(collection);
    await api.memory.world.store.raise(collection, 'settled', head);
    await api.memory.world.store.raise(collection, 'compacted', head);
    for (let shard = 0; shard < 8; shard += 1) {
      const { rows } = await table.query({ partition: `journal#${collection}#${shard}`, from: '0', to: '~' });
      for (const row of rows) await table.delete(row);
    }
  }
});

describe('A world snapshot', () => {
  const snapshotRows = (over: Counted) => over.put_.filter(({ pk }) => pk.startsWith('snapshot#'));

  it('A world snapshot is stored in chunks, with its header last', async () => {
    await fill();
    const over = counted();
    await bind(over);
    const rows = snapshotRows(over);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.findIndex(({ pk }) => pk === snapshotKey.pk)).toBe(rows.length - 1);
    expect(rows.at(-1)).toMatchObject({ chunks: rows.length - 1, epoch: 1 });
  });

  it('A world snapshot is not stored if a chunk fails, and pods are still bound', async () => {
    await fill();
    await bind(counted(({ pk }) => pk.endsWith('#1')));
    expect(await table.get(snapshotKey)).toBeUndefined();
    expect(await nodeOf('p0')).toBeDefined();
  });

  it('A world snapshot is stored after enough changes or enough time, but not for few objects or when disabled', async () => {
    await addNode('a');
    await bind();
    expect(await table.get(snapshotKey)).toBeUndefined();
    await fill2();
    await bind(table, 8, { ...POLICY, leastObjects: 1_000 });
    expect(await table.get(snapshotKey)).toBeUndefined();
    await bind(table, 8, 'none');
    expect(await table.get(snapshotKey)).toBeUndefined();
    await addPod('another');
    await bind(table, 9);
    const first = await table.get(snapshotKey);
    await addPod('one-more');
    await bind(table, 10);
    expect(await table.get(snapshotKey)).toEqual(first);
    api.memory.clock.advance(12 * HOUR);
    await bind(table, 11);
    const second = await table.get(snapshotKey);
    expect(second?.id).not.toBe(first?.id);
    for (let number = 0; number < 6; number += 1) await addPod(`q${number}`);
    await bind(table, 12);
    expect((await table.get(snapshotKey))?.id).not.toBe(second?.id);
  });

  it('A world snapshot of a process that lost the lease does not replace a newer one', async () => {
    await fill();
    await table.put({
      ...snapshotKey,
      id: 'newer',
      form: '',
      upTo: '{}',
      chunks: 0,
      written: api.memory.clock.now(),
      epoch: 9,
    });
    await bind();
    expect(await table.get(snapshotKey)).toMatchObject({ id: 'newer' });
    await table.put({ ...placerKey, epoch: 9 });
    await bind(table, 8);
    expect(await table.get(snapshotKey)).toMatchObject({ epoch: 10 });
  });

  it('A world snapshot is stored again in a restored table, also if the header of the copy names a later epoch', async () => {
    const { clock } = api.memory;
    const { table: copy, scan } = new TornCopy();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const body: JsonObject = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } };
      const put = () => ({ kind: 'put', body }) as const;
      await clock.during(storeOver(copy).write('core/nodes', { namespace: '', name }, put));
    }
    await bind(copy);
    const header = await copy.get(snapshotKey);
    expect(header).toMatchObject({ epoch: 1 });
    await copy.put({ ...header, ...snapshotKey, epoch: 9 });
    const outside = { clock, random: seeded(5), logger: silentLogger };
    await clock.during(restoreTable({ ...outside, id: 'copy', table: copy, scan, say: () => {} }));
    await bind(copy, 8);
    const kept = await copy.get(snapshotKey);
    expect(kept).toMatchObject({ epoch: 2 });
    expect(kept?.id).not.toBe(header?.id);
  });

  async function fill2(): Promise<void> {
    for (let number = 0; number < 8; number += 1) await addPod(`p${number}`);
  }
});

import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mapBounded } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient, KubernetesObject } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { type WatchOptions, WatchStream } from '../../support/service/watch-stream.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let service: Service;
let http: HttpClient;
const open: WatchStream[] = [];
/** The number of running `read` functions for a watch of the label `abandoned`. */
let abandoned = 0;
const isAbandoned = (event: unknown) => JSON.stringify(event).includes('"labelSelector":"abandoned"');

beforeAll(async () => {
  service = await startService({
    fault: {
      beforeInvoke: async (_name, event) => {
        if (isAbandoned(event)) abandoned += 1;
      },
      afterInvoke: (_name, event) => {
        if (isAbandoned(event)) abandoned -= 1;
      },
    },
  });
  http = service.http;
});

afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
});

afterAll(() => service.stop());

async function watch(
  path: string,
  query: Record<string, string> = {},
  options?: WatchOptions,
): Promise<WatchStream> {
  const parameters = new URLSearchParams({ watch: 'true', ...query });
  const stream = await WatchStream.open(`${http.url}${path}?${parameters}`, options);
  open.push(stream);
  return stream;
}

/** Opens a watch of changes from now on. */
async function watchFromNow(path: string, query: Record<string, string> = {}, options?: WatchOptions) {
  return watch(path, { resourceVersion: await http.version(path), ...query }, options);
}

const pod = (name: string, labels: Record<string, string> = {}, more: object = {}) => ({
  metadata: { name, labels },
  spec: podSpec(),
  ...more,
});
const relabel = (name: string, labels: Record<string, string | null>) =>
  http.merge(`${PODS}/${name}`, { metadata: { labels } });
const version = ({ metadata }: KubernetesObject) => Number(metadata.resourceVersion);

describe('the transitions in a watch', () => {
  it('a watch by labels sends what enters, changes in and leaves the set', async () => {
    const stream = await watchFromNow(PODS, { labelSelector: 'tier in (frontend),environment!=qa' });
    await http.post(PODS, pod('moves', { tier: 'backend' }));
    const entered = await relabel('moves', { tier: 'frontend' });
    const noted = await http.merge(`${PODS}/moves`, { metadata: { annotations: { note: 'x' } } });
    const left = await relabel('moves', { environment: 'qa' });
    await relabel('moves', { note: 'unseen' });
    const back = await relabel('moves', { environment: null });
    await http.delete(`${PODS}/moves`);
    const events = await stream.until(({ length }) => length >= 5);
    expect(stream.told).toEqual(
      ['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED'].map((type) => `${type} moves`),
    );
    expect(events.slice(0, 2).map(({ object }) => object)).toEqual([entered.body, noted.body]);
    // It leaves in the last state that matched, at the resourceVersion of the change that made it leave.
    const { resourceVersion } = left.body.metadata;
    expect(events[2]?.object).toEqual({
      ...noted.body,
      metadata: { ...noted.body.metadata, resourceVersion },
    });
    expect(events[3]?.object).toEqual(back.body);
    const versions = events.map(({ object }) => version(object));
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
  });

  it('a watch by fields sends what enters, changes in and leaves the set', async () => {
    const stream = await watchFromNow(PODS, { fieldSelector: 'spec.nodeName=node-1,status.phase!=Failed' });
    const bound = { ...podSpec(), nodeName: 'node-1' };
    await http.post(PODS, pod('elsewhere', {}, { spec: { ...podSpec(), nodeName: 'node-2' } }));
    await http.post(PODS, pod('bound', {}, { spec: bound }));
    await http.merge(`${PODS}/bound/status`, { status: { phase: 'Running' } });
    await http.merge(`${PODS}/bound/status`, { status: { phase: 'Failed' } });
    await http.delete(`${PODS}/bound`);
    await http.post(PODS, pod('next', {}, { spec: bound }));
    await stream.until((events) => events.some(({ object }) => object.metadata.name === 'next'));
    expect(stream.told).toEqual(['ADDED bound', 'MODIFIED bound', 'DELETED bound', 'ADDED next']);
  });

  it('a watch of one name, as kubectl wait opens it, sends only that object', async () => {
    const stream = await watchFromNow(PODS, { fieldSelector: 'metadata.name=wanted' });
    await http.post(PODS, pod('wanted-not'));
    await http.post(PODS, pod('wanted'));
    await http.delete(`${PODS}/wanted-not`);
    await http.delete(`${PODS}/wanted`);
    await stream.until((events) => events.some(({ type }) => type === 'DELETED'));
    expect(stream.told).toEqual(['ADDED wanted', 'DELETED wanted']);
  });

  it('a watch covers one namespace or all', async () => {
    await http.post('/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
    const [here, everywhere] = [
      await watchFromNow(PODS, { labelSelector: 'where' }),
      await watchFromNow('/api/v1/pods', { labelSelector: 'where' }),
    ];
    await http.post('/api/v1/namespaces/elsewhere/pods', pod('there', { where: 'there' }));
    await http.post(PODS, pod('here', { where: 'here' }));
    await Promise.all([
      everywhere.until(({ length }) => length === 2),
      here.until(({ length }) => length === 1),
    ]);
    expect(everywhere.told).toEqual(['ADDED there', 'ADDED here']);
    expect(here.told).toEqual(['ADDED here']);
  });
});

describe('the start of a watch', () => {
  beforeAll(async () => {
    for (const name of ['c', 'a', 'b']) {
      await http.post(CONFIG_MAPS, { metadata: { name, labels: { set: 'x' } } });
    }
    await http.post(CONFIG_MAPS, { metadata: { name: 'd' } });
  });

  it.each([
    ['no resourceVersion', {}],
    ['resourceVersion 0', { resourceVersion: '0' }],
  ])('a watch with %s sends present objects, then changes', async (_, query) => {
    const stream = await watch(CONFIG_MAPS, { labelSelector: 'set=x', ...query });
    await stream.until(({ length }) => length >= 3);
    const { body } = await http.merge(`${CONFIG_MAPS}/b`, { data: { now: String(Math.random()) } });
    await stream.until(({ length }) => length >= 4);
    expect(stream.told).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'MODIFIED b']);
    expect(stream.events[3]?.object).toEqual(body);
  });

  it('a watch from the resourceVersion of a list sends all later changes, and nothing of the list', async () => {
    const rv = await http.version(CONFIG_MAPS);
    await http.merge(`${CONFIG_MAPS}/a`, { data: { later: 'yes' } });
    await http.delete(`${CONFIG_MAPS}/d`);
    const stream = await watch(CONFIG_MAPS, { resourceVersion: rv });
    await stream.until(({ length }) => length >= 2);
    expect(stream.told).toEqual(['MODIFIED a', 'DELETED d']);
  });

  it('a list followed by a watch misses no concurrent change', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `busy-${index}`);
    const writing = mapBounded(names, 8, async (name, index) => {
      await http.post(CONFIG_MAPS, { metadata: { name, labels: { busy: 'yes' } } });
      if (index % 3 === 0) {
        await http.merge(`${CONFIG_MAPS}/${name}`, { metadata: { labels: { busy: null } } });
      }
      if (index % 3 === 1) await http.delete(`${CONFIG_MAPS}/${name}`);
    });
    const listed = await http.get(`${CONFIG_MAPS}?labelSelector=busy`);
    const known = new Map(listed.items.map((object) => [object.metadata.name, version(object)]));
    const { resourceVersion } = listed.body.metadata;
    const stream = await watch(CONFIG_MAPS, { labelSelector: 'busy', resourceVersion });
    await writing;
    const after = await http.get(`${CONFIG_MAPS}?labelSelector=busy`);
    const expected = after.items.map((object) => `${object.metadata.name}@${version(object)}`);
    const state = () => {
      const now = new Map(known);
      for (const { type, object } of stream.events) {
        if (type === 'DELETED') {
          now.delete(object.metadata.name);
        } else {
          now.set(object.metadata.name, version(object));
        }
      }
      return [...now].map(([name, rv]) => `${name}@${rv}`).sort();
    };
    await stream.until(() => state().join() === [...expected].sort().join());
    expect(expected).toHaveLength(20);
  });

  it('a watch with initial events sends present objects, a bookmark, and then changes', async () => {
    const listed = (name: string) => ({ metadata: { name, labels: { set: 'listed' } } });
    await http.post(CONFIG_MAPS, listed('listed-1'));
    const stream = await watch(CONFIG_MAPS, {
      labelSelector: 'set=listed',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    await stream.until(() => stream.events.some(({ type }) => type === 'BOOKMARK'));
    await http.post(CONFIG_MAPS, listed('listed-2'));
    await stream.until(() => stream.events.length === 3);
    const told = stream.events.map(({ type, object }) => [
      type,
      object.metadata.name ?? object.metadata.annotations['k8s.io/initial-events-end'],
    ]);
    expect(told).toEqual([
      ['ADDED', 'listed-1'],
      ['BOOKMARK', 'true'],
      ['ADDED', 'listed-2'],
    ]);
  });

  it('a watch from a compacted resourceVersion gets 410, and new lists and watches work', async () => {
    const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
    for (const name of ['a', 'b', 'c']) await http.post(ENDPOINTS, { metadata: { name } });
    const resourceVersion = await http.version(ENDPOINTS);
    await http.post(ENDPOINTS, { metadata: { name: 'd' } });
    await compact('core/endpoints', Number(await http.version(ENDPOINTS)));
    const watched = await http.send('GET', `${ENDPOINTS}?watch=true&resourceVersion=${resourceVersion}`);
    expect([watched.status, watched.reason]).toEqual([410, 'Expired']);
    expect(watched.message).toContain('too old resource version');
    expect(await http.names(ENDPOINTS)).toEqual(['a', 'b', 'c', 'd']);
    const fresh = await watchFromNow(ENDPOINTS);
    await http.delete(`${ENDPOINTS}/a`);
    await fresh.until(({ length }) => length === 1);
    expect(fresh.told).toEqual(['DELETED a']);
  });
});

/** Compacts a journal, as the tick does with entries older than a day. */
async function compact(collection: string, rv: number): Promise<void> {
  const client = new DynamoDBClient({ ...service.winnow.dynamodbClientConfig });
  await client.send(
    new UpdateItemCommand({
      TableName: service.winnow.environment.WINNOW_TABLE,
      Key: { pk: { S: `head#${collection}` }, sk: { S: 'settled' } },
      UpdateExpression: 'SET settled = :rv, compacted = :rv',
      ExpressionAttributeValues: { ':rv': { N: String(rv) } },
    }),
  );
  client.destroy();
}

/** Runs a watch to its end during changes, one of which matches. `seconds` must suffice on a slow machine. */
async function markedWatch(seconds: number): Promise<{ stream: WatchStream; head: number }> {
  const stream = await watchFromNow(PODS, {
    timeoutSeconds: String(seconds),
    allowWatchBookmarks: 'true',
    labelSelector: 'mark',
  });
  for (const [name, labels] of [['unseen'], ['marked', { mark: 'x' }], ['unseen-too']] as const) {
    await http.post(PODS, pod(name, labels));
  }
  const head = Number(await http.version(PODS));
  if (stream.end === undefined) {
    await stream.ended();
    return { stream, head };
  }
  for (const name of ['unseen', 'marked', 'unseen-too']) await http.delete(`${PODS}/${name}`);
  return markedWatch(4 * seconds);
}

describe('the end of a watch', () => {
  it('a watch ends cleanly after timeoutSeconds, without an unrequested bookmark', async () => {
    const began = performance.now();
    const stream = await watchFromNow(PODS, { timeoutSeconds: '1' });
    expect(await stream.ended()).toBe('cleanly');
    expect(performance.now() - began).toBeGreaterThan(950);
    expect(stream.events).toEqual([]);
  });

  it('a watch ends with a bookmark to continue from, if the client allows them', async () => {
    const { stream, head } = await markedWatch(2);
    expect(stream.end).toBe('cleanly');
    expect(stream.told).toEqual(['ADDED marked', 'BOOKMARK']);
    const bookmark = stream.events[1]?.object;
    expect(bookmark).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(head), creationTimestamp: null },
    });
    const next = await watch(PODS, { labelSelector: 'mark', resourceVersion: String(head) });
    await http.delete(`${PODS}/marked`);
    await next.until(({ length }) => length === 1);
    expect(next.told).toEqual(['DELETED marked']);
  });

  it('a watch runs to its end when its client leaves, because AWS does not report that', async () => {
    const query = { labelSelector: 'abandoned', timeoutSeconds: '2' };
    const began = performance.now();
    const streams = await Promise.all(Array.from({ length: 8 }, () => watchFromNow(PODS, query)));
    for (const stream of streams) stream.leave();
    await http.post(PODS, pod('told-to-nobody', { abandoned: 'yes' }));
    await eventually('the functions end', () => abandoned === 0);
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(service.problems).toEqual([]);
  });
});

describe('the format of a watch', () => {
  it('a watch is uncompressed streaming JSON whose headers are sent at once', async () => {
    const stream = await watchFromNow(PODS);
    expect(stream.response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(stream.response.headers.get('content-encoding')).toBeNull();
    expect(stream.events).toEqual([]);
  });

  it('a watch for kubectl get -w sends a Table with one row for each event', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const stream = await watchFromNow(PODS, { labelSelector: 'table' }, { accept });
    await http.post(PODS, pod('row', { table: 'x' }));
    await relabel('row', { table: 'y' });
    await relabel('row', { table: null });
    const events = await stream.until(({ length }) => length === 3);
    expect(events.map(({ type, object }) => `${type} ${object.kind}`)).toEqual([
      ...['ADDED Table', 'MODIFIED Table', 'DELETED Table'],
    ]);
    const rows = events.map(
      ({ object }) => (object.rows as { cells: string[]; object: KubernetesObject }[])[0],
    );
    expect(rows.map((row) => row?.cells[0])).toEqual(['row', 'row', 'row']);
    expect(rows.map((row) => row?.object.metadata.labels.table)).toEqual(['x', 'y', 'y']);
    expect(events[0]?.object.columnDefinitions).toContainEqual(expect.objectContaining({ name: 'Name' }));
  });

  it('a watch sends only metadata on request', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const stream = await watchFromNow(PODS, { labelSelector: 'partial' }, { accept });
    const { body } = await http.post(PODS, pod('partial', { partial: 'x' }));
    await stream.until(({ length }) => length === 1);
    expect(stream.events[0]?.object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: body.metadata,
    });
  });

  it('many concurrent watches each get the events of their own selector', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        watchFromNow(PODS, { labelSelector: index % 2 === 0 ? 'crowd' : `crowd=${index}` }),
      ),
    );
    await mapBounded(all, 4, (_, index) => http.post(PODS, pod(`crowd-${index}`, { crowd: String(index) })));
    await Promise.all(
      all.map((stream, index) => stream.until(({ length }) => length >= (index % 2 === 0 ? 12 : 1))),
    );
    const [first] = all;
    for (const [index, stream] of all.entries()) {
      expect(stream.told).toEqual(index % 2 === 0 ? first?.told : [`ADDED crowd-${index}`]);
    }
    expect(new Set(first?.told).size).toBe(12);
  });
});

it('the service logged no problems', () => {
  expect(service.problems).toEqual([]);
});

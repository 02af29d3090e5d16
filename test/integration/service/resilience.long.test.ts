import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Queues, startQueues } from '../../../infra/local/queues.ts';
import type { FunctionName } from '../../../lib/platform/function-names.ts';
import {
  systemClock as clock,
  mapBounded,
  systemRandom as random,
  silentLogger,
} from '../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import { createStore, headKey } from '../../../lib/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { describe as describeEvent, type Inbox, type QueueEvent } from '../../support/service/inbox.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const RETRY = 200;

/** The faults between an event and its function. Tests change them. */
const fault = {
  refuse: new Set<FunctionName>(),
  refused: 0,
  invoked: [] as FunctionName[],
  beforeInvoke: async (name: FunctionName) => {
    fault.invoked.push(name);
    if (!fault.refuse.has(name)) return;
    fault.refused += 1;
    throw new Error('a provoked crash');
  },
};

afterEach(() => {
  fault.refuse.clear();
  fault.refused = 0;
  fault.invoked = [];
});

const selecting = (label: string, start = 'now') => ({
  resource: { resource: 'pods' },
  labelSelector: label,
  start,
});
const pod = (name: string, label: string) => ({
  metadata: { name, labels: { [label]: 'x' } },
  spec: podSpec(),
});
const told = (events: readonly QueueEvent[]) => events.map(describeEvent);

describe('a running service with faults', () => {
  let service: Service;
  let http: HttpClient;

  beforeAll(async () => {
    service = await startService({ fault, retryDelay: RETRY });
    http = service.http;
  });

  afterAll(() => service.stop());

  /** Creates `count` pods with the label, and returns the events that must follow. */
  async function createPods(label: string, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `${label}-${index}`);
    const made = await mapBounded(names, 4, async (name) => (await http.post(PODS, pod(name, label))).body);
    return made
      .sort((one, other) => Number(one.metadata.resourceVersion) - Number(other.metadata.resourceVersion))
      .map(({ metadata }) => `ADDED ${metadata.name}`);
  }

  describe('two writers on one object', () => {
    it('two writers lose no update if each names the resourceVersion it read', async () => {
      const path = `${PODS}/counter`;
      await http.post(PODS, {
        metadata: { name: 'counter', annotations: { count: '0' } },
        spec: podSpec(),
      });
      let conflicts = 0;
      const countUp = async () => {
        for (let done = 0; done < 25; ) {
          const { body } = await http.get(path);
          const count = String(Number(body.metadata.annotations.count) + 1);
          const answer = await http.send('PUT', path, {
            body: { ...body, metadata: { ...body.metadata, annotations: { count } } },
          });
          if (answer.status === 200) {
            done += 1;
          } else {
            conflicts += 1;
          }
          expect([200, 409]).toContain(answer.status);
        }
      };
      await Promise.all([countUp(), countUp()]);
      expect((await http.get(path)).body.metadata.annotations.count).toBe('50');
      expect(conflicts).toBeGreaterThan(0);
    });

    it('the patches of two writers merge if neither names a resourceVersion', async () => {
      const path = `${PODS}/merged`;
      await http.post(PODS, { metadata: { name: 'merged' }, spec: podSpec() });
      /** Repeats after a 429, as clients do. On a busy machine one of the two may lose all its attempts. */
      const merge = async (body: object) => {
        const options = { body, type: 'application/merge-patch+json' };
        let answer = await http.send('PATCH', path, options);
        while (answer.status === 429) answer = await http.send('PATCH', path, options);
        expect(answer.status).toBe(200);
      };
      const write = (who: string) =>
        mapBounded(Array.from({ length: 20 }), 1, (_, index) =>
          merge({ metadata: { annotations: { [`${who}-${index}`]: 'x' } } }),
        );
      await Promise.all([write('a'), write('b')]);
      expect(Object.keys((await http.get(path)).body.metadata.annotations)).toHaveLength(40);
    });

    it('of two writes at one resourceVersion, one succeeds and the other conflicts', async () => {
      const { body } = await http.post(PODS, { metadata: { name: 'raced' }, spec: podSpec() });
      const put = (image: string) =>
        http.send('PUT', `${PODS}/raced`, { body: { ...body, spec: podSpec(image) } });
      const answers = await Promise.all([put('a'), put('b')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = answers.find(({ status }) => status === 200);
      expect((await http.get(`${PODS}/raced`)).body).toEqual(winner?.body);
    });
  });

  it('Two dispatchers on one collection lose nothing, repeat nothing and keep the order', async () => {
    const inbox = (await service.subscribe('twice', selecting('twice'))).read();
    let writing = true;
    const dispatchByHand = async () => {
      while (writing) {
        const body = JSON.stringify({ collection: 'core/pods', rv: Number(await http.version(PODS)) });
        const Records = [{ messageId: '1', body, attributes: { MessageGroupId: 'by-hand' } }];
        await service.winnow.invoke('dispatch', { Records });
      }
    };
    const byHand = Promise.all([dispatchByHand(), dispatchByHand()]);
    try {
      const expected = await createPods('twice', 60);
      const events = await inbox.until(({ length }) => length >= 60);
      expect(told(events)).toEqual(expected);
    } finally {
      writing = false;
      await byHand;
    }
  });

  it('an unread queue delays no other queue, and holds everything when it is read', async () => {
    const unread = await service.subscribe('unread', selecting('crowd'));
    const read = (await service.subscribe('read', selecting('crowd'))).read();
    const expected = await createPods('crowd', 50);
    await read.until(({ length }) => length >= 50);
    expect(told(read.events)).toEqual(expected);
    expect(unread.events).toEqual([]);
    unread.read();
    await unread.until(({ length }) => length >= 50);
    expect(told(unread.events)).toEqual(expected);
  });

  it('a deleted queue is recreated with a snapshot, and other queues continue', async () => {
    const lost = await service.subscribe('lost', selecting('flow'));
    const kept = (await service.subscribe('kept', selecting('flow'))).read();
    const before = lost.queueUrl;
    await http.post(PODS, pod('flow-first', 'flow'));
    await lost.sqs.send(new DeleteQueueCommand({ QueueUrl: before }));
    const expected = ['ADDED flow-first', ...(await createPods('flow', 20))];
    await kept.until(({ length }) => length >= 21);
    expect(told(kept.events)).toEqual(expected);

    await lost.synced(before);
    expect(lost.queueUrl).not.toBe(before);
    lost.read();
    await http.delete(`${PODS}/flow-3`);
    await lost.until((events) => told(events).includes('DELETED flow-3'));
    await kept.until((events) => told(events).includes('DELETED flow-3'));
    // The snapshot is at one resourceVersion. Later writes follow as they happened.
    const known = new Set<string>();
    for (const { type, object } of lost.events) {
      if (type === 'ADDED') known.add(object.metadata.name);
      if (type === 'DELETED') known.delete(object.metadata.name);
    }
    expect([...known].sort()).toEqual(await http.names(`${PODS}?labelSelector=flow`));
    expect(lost.events.filter(({ type }) => type === 'BOOKMARK')).toHaveLength(1);
  });

  const openTable = () =>
    createDynamoTable({
      tableName: service.winnow.environment.WINNOW_TABLE ?? '',
      clock,
      config: { ...service.winnow.dynamodbClientConfig },
    });

  describe('a writer that died between its resourceVersion and its commit', () => {
    const SERVICES = '/api/v1/namespaces/default/services';
    const newService = (name: string) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
    const die = () => openTable().update(headKey('core/services'), { add: { rv: 1 } });
    const filled = () => fault.invoked.filter((name) => name === 'fill');

    beforeAll(() => http.post(SERVICES, newService('before')));

    it('read asks fill once, and fill declares the writer dead', async () => {
      const before = Number(await http.version(SERVICES));
      await die();
      fault.invoked = [];
      expect(Number(await http.version(SERVICES))).toBe(before + 1);
      expect(filled()).toEqual(['fill']);
    });

    it('no reader passes the gap of a dead writer while fill crashes', async () => {
      const before = Number(await http.version(SERVICES));
      await die();
      fault.refuse.add('fill');
      const { status, message } = await http.send('GET', SERVICES);
      expect([status, message]).toEqual([
        429,
        `resourceVersion ${before + 1} of core/services stays undecided`,
      ]);
      expect(filled().length).toBeGreaterThanOrEqual(3);
      fault.refuse.clear();
      expect(Number(await http.version(SERVICES))).toBe(before + 1);
    });

    it('a dead writer delays no other writer, because writers do not need fill', async () => {
      await die();
      fault.refuse.add('fill');
      const made = await http.post(SERVICES, newService('after'));
      expect(made.status).toBe(201);
      expect(fault.refused).toBe(0);
    });
  });

  describe('a change that a writer committed before it died', () => {
    /** The write function’s own commit, without the hint that follows it. */
    async function commitAndDie(name: string, label: string): Promise<void> {
      const table = openTable();
      const store = createStore({ table, clock, random, logger: silentLogger });
      const metadata = { name, namespace: 'default', uid: random.uuid(), labels: { [label]: 'x' } };
      const body = { apiVersion: 'v1', kind: 'Pod', metadata };
      await store.write('core/pods', { namespace: 'default', name }, () => ({ kind: 'put', body }));
    }

    it('the change arrives through the table’s stream', async () => {
      const inbox = (await service.subscribe('relayed', selecting('relayed'))).read();
      await commitAndDie('relayed-1', 'relayed');
      expect(told(await inbox.until(({ length }) => length >= 1))).toEqual(['ADDED relayed-1']);
    });

    it('the change arrives through the schedule if the stream fails too', async () => {
      const inbox = (await service.subscribe('scheduled', selecting('scheduled'))).read();
      fault.refuse.add('relay');
      await commitAndDie('scheduled-1', 'scheduled');
      await eventually('the relay fails', () => fault.refused > 0);
      expect(inbox.events).toEqual([]);
      await service.winnow.tick();
      expect(told(await inbox.until(({ length }) => length >= 1))).toEqual(['ADDED scheduled-1']);
    });
  });

  it('an event arrives once although dispatch crashes repeatedly before it sends', async () => {
    const inbox = (await service.subscribe('crashing', selecting('crashing'))).read();
    fault.refuse.add('dispatch');
    const expected = await createPods('crashing', 5);
    await eventually('dispatch crashes', () => fault.refused >= 3);
    expect(inbox.events).toEqual([]);
    fault.refuse.clear();
    await inbox.until(({ length }) => length >= 5);
    await http.post(PODS, pod('crashing-last', 'crashing'));
    await inbox.until((events) => told(events).includes('ADDED crashing-last'));
    expect(told(inbox.events)).toEqual([...expected, 'ADDED crashing-last']);
  });

  it('a subscription becomes synced although reconcile crashes at first', async () => {
    fault.refuse.add('reconcile');
    const subscribing = service.subscribe('patient', selecting('flow', 'snapshot'));
    await eventually('reconcile crashes', () => fault.refused >= 2);
    fault.refuse.clear();
    const inbox = (await subscribing).read();
    const events = await inbox.until((received) => received.some(({ type }) => type === 'BOOKMARK'));
    const names = events.filter(({ type }) => type === 'ADDED').map(({ object }) => object.metadata.name);
    expect(names).toEqual(await http.names(`${PODS}?labelSelector=flow`));
  });

  it('the service logged only the provoked problems', () => {
    expect(service.problems.filter((problem) => !problem.includes('a provoked crash'))).toEqual([]);
  });
});

describe('a service with a data directory', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  const start = () => startService({ dataDirectory: directory, fault, retryDelay: RETRY });

  /** Waits until an earlier Subscription has a queue of this service other than `before`. Returns its inbox. */
  async function synced(service: Service, name: string, before = ''): Promise<Inbox> {
    const inbox = service.inbox(name);
    await eventually('the queue is made anew', async () => {
      await inbox.synced(before);
      return inbox.queueUrl.startsWith(service.winnow.awsEndpoints.sqs);
    });
    return inbox;
  }

  it('A change that was committed but not sent before a kill arrives after the restart', async () => {
    const killed = await start();
    const inbox = (await killed.subscribe('survivor', selecting('app'))).read();
    const first = await killed.http.post(PODS, pod('sent', 'app'));
    await inbox.until(({ length }) => length >= 1);
    fault.refuse.add('dispatch');
    await killed.http.post(PODS, pod('unsent', 'app'));
    await eventually('dispatch crashes', () => fault.refused > 0);
    const before = await killed.http.get(PODS);
    const subscription = (await killed.http.get(inbox.path)).body;
    expect(told(inbox.events)).toEqual(['ADDED sent']);
    const { queueUrl } = inbox;
    await killed.kill();
    fault.refuse.clear();

    const service = await start();
    try {
      const { http } = service;
      expect((await http.get(PODS)).body).toEqual(before.body);
      expect((await http.get(`${PODS}/sent`)).body).toEqual(first.body);
      const again = (await synced(service, 'survivor', queueUrl)).read();
      await again.until((events) => events.some(({ type }) => type === 'BOOKMARK'));
      expect(told(again.events)).toEqual(['ADDED sent', 'ADDED unsent', 'BOOKMARK']);
      const restored = (await http.get(again.path)).body;
      expect(restored.metadata.uid).toBe(subscription.metadata.uid);
      expect(restored.spec).toEqual(subscription.spec);
      const next = await http.post(PODS, pod('next', 'app'));
      await again.until((events) => told(events).includes('ADDED next'));
      expect(again.events).toHaveLength(4);
      expect(Number(next.body.metadata.resourceVersion)).toBe(
        Number(before.body.metadata.resourceVersion) + 1,
      );
      expect(service.problems).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  it('every acknowledged write survives a kill during many writes, and none is partial', async () => {
    const killed = await start();
    const { queueUrl } = await synced(killed, 'survivor');
    const acknowledged: string[] = [];
    const names = Array.from({ length: 200 }, (_, index) => `burst-${index}`);
    const writing = mapBounded(names, 8, async (name) => {
      await killed.http.post(PODS, pod(name, 'burst'));
      acknowledged.push(name);
    }).catch(() => 'cut');
    await eventually('some are written', () => acknowledged.length >= 40);
    await killed.kill();
    expect(await writing).toBe('cut');

    const service = await start();
    try {
      const { http } = service;
      const indexed = await http.names(`${PODS}?labelSelector=burst`);
      const everything = (await http.names(PODS)).filter((name) => name.startsWith('burst-'));
      expect(indexed).toEqual(everything);
      expect(everything).toEqual(expect.arrayContaining(acknowledged));
      const left = names.filter((name) => !everything.includes(name)).slice(0, 3);
      for (const name of left) await http.post(PODS, pod(name, 'burst'));
      expect(await http.names(`${PODS}?labelSelector=burst`)).toEqual([...everything, ...left].sort());
      const again = (await synced(service, 'survivor', queueUrl)).read();
      await again.until((events) => events.some(({ type }) => type === 'BOOKMARK'));
      expect(told(again.events)).toEqual(['ADDED next', 'ADDED sent', 'ADDED unsent', 'BOOKMARK']);
    } finally {
      await service.stop();
    }
  });

  describe('a service whose queues survive it', () => {
    let queues: Queues;

    beforeAll(async () => {
      queues = await startQueues({ region: 'us-east-1' });
      process.env.AWS_ENDPOINT_URL_SQS = queues.endpoint;
    });

    afterAll(async () => {
      delete process.env.AWS_ENDPOINT_URL_SQS;
      await queues.stop();
    });

    it('subscriptions are synced after a kill, and continue at their position', async () => {
      const killed = await start();
      const inbox = await killed.subscribe('lasting', selecting('lasting'));
      const { queueUrl } = inbox;
      let writing = true;
      const busy = mapBounded([1, 2, 3, 4], 4, async (writer) => {
        for (let made = 0; writing; made += 1) {
          await killed.http.post(PODS, pod(`busy-${writer}-${made}`, 'busy'));
        }
      }).catch(() => 'cut');
      await killed.http.post(PODS, pod('lasting-1', 'lasting'));
      await killed.kill();
      writing = false;
      await busy;

      const service = await start();
      try {
        const again = (await synced(service, 'lasting')).read();
        expect(again.queueUrl).toBe(queueUrl);
        await service.http.post(PODS, pod('lasting-2', 'lasting'));
        // The message that the killed dispatch had received blocks its group until its visibility timeout.
        await again.until((events) => told(events).includes('ADDED lasting-2'));
        expect(told(again.events)).toEqual(['ADDED lasting-1', 'ADDED lasting-2']);
      } finally {
        await service.stop();
      }
    });
  });

  it('subscriptions restart after an orderly stop too', async () => {
    const first = await start();
    const { queueUrl } = await synced(first, 'survivor');
    await first.stop();
    const service = await start();
    try {
      const inbox = (await synced(service, 'survivor', queueUrl)).read();
      const events = await inbox.until((received) => received.some(({ type }) => type === 'BOOKMARK'));
      expect(told(events)).toEqual(['ADDED next', 'ADDED sent', 'ADDED unsent', 'BOOKMARK']);
    } finally {
      await service.stop();
    }
  });
});

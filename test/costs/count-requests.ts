import { createApi, ensureSystemNamespaces, readingVerbs, writingVerbs } from '../../lib/api/index.ts';
import { silentLogger as logger, systemRandom as random } from '../../lib/platform/index.ts';
import type { Labels } from '../../lib/selectors/index.ts';
import { createStore, type JsonObject } from '../../lib/store/index.ts';
import { createHints, createWatches } from '../../lib/watch/index.ts';
import { podOf } from '../bench/list/list-objects.ts';
import { startTable } from '../support/store/table.ts';
import { MovableClock } from '../support/watch/real-world.ts';
import { createMemoryQueues } from '../support/watch/test-queues.ts';
import { type Counter, createCounter, type Used } from './counting.ts';

/** By what is asked of the API. */
export type RequestCounts = Readonly<Record<string, Used>>;

const PODS = '/api/v1/namespaces/default/pods';
const LABELS = Object.entries({ app: 'web', tier: 'front', env: 'prod', team: 'a' });
const MOST_LABELS = LABELS.length;
/** Of the collection that is listed: so many objects, and so many of them have the label `ten`. */
const LISTED = { objects: 100, ten: 10 };
const HOUR = 3_600_000;

/**
 * What each kind of request costs, of pods of about 1 KB: through the API, on the embedded DynamoDB, by a process
 * that has answered the same before, an hour after the last write to what it reads.
 */
export async function countRequests(): Promise<RequestCounts> {
  const { table, stop } = await startTable();
  try {
    const client = openClient(createCounter(), table);
    await client.warmUp();
    return { ...(await countWrites(client)), ...(await countReads(client)) };
  } finally {
    await stop();
  }
}

type Client = ReturnType<typeof openClient>;

function openClient(counter: Counter, real: Parameters<Counter['table']>[0]) {
  const clock = new MovableClock();
  const store = createStore({ table: counter.table(real), clock, random, logger });
  const hints = createHints({
    queues: counter.queues(createMemoryQueues()),
    queueUrl: 'memory://events',
    logger,
  });
  const api = createApi({
    verbs: { ...readingVerbs, ...writingVerbs },
    store,
    watches: createWatches({ store, clock, random, logger }),
    clock,
    random,
    logger,
    announce: hints.announce,
  });
  /** Throws for an answer that is none of success. */
  const ask = async (method: string, path: string, body?: JsonObject, type = 'application/json') => {
    const [place = '', query] = path.split('?');
    const request = {
      method,
      path: place,
      query: new URLSearchParams(query),
      headers: { 'content-type': type },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    };
    const answer = await api.handle(request, AbortSignal.timeout(60_000));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as JsonObject;
  };
  return {
    ask,
    create: (name: string, labels: Labels) =>
      ask('POST', PODS, podOf({ namespace: 'default', name }, '', labels)),
    /** What one request costs. */
    async count(...request: Parameters<typeof ask>): Promise<Used> {
      counter.take();
      await ask(...request);
      return counter.take();
    },
    async warmUp() {
      await ensureSystemNamespaces({ store, clock, random });
      await this.create('first', {});
    },
    later: () => clock.advance(HOUR),
  };
}

async function countWrites(client: Client): Promise<RequestCounts> {
  const counts: Record<string, Used> = {};
  for (let count = 0; count <= MOST_LABELS; count += 1) {
    const labels = Object.fromEntries(LABELS.slice(0, count));
    const pod = podOf({ namespace: 'default', name: `labels-${count}` }, '', labels);
    counts[`create, ${count} ${count === 1 ? 'label' : 'labels'}`] = await client.count('POST', PODS, pod);
  }
  const pod = `${PODS}/labels-${MOST_LABELS}`;
  const merge = 'application/merge-patch+json';
  const phase = { status: { phase: 'Failed' } };
  counts['status patch'] = await client.count('PATCH', `${pod}/status`, phase, merge);
  const relabel = { metadata: { labels: { env: 'qa' } } };
  counts['relabel, 1 of 4 values'] = await client.count('PATCH', pod, relabel, merge);
  counts['delete, 4 labels'] = await client.count('DELETE', pod);
  return counts;
}

async function countReads(client: Client): Promise<RequestCounts> {
  for (let index = 0; index < LISTED.objects - MOST_LABELS - 1; index += 1) {
    await client.create(`pod-${index}`, index < LISTED.ten ? { ten: 'yes' } : { ten: 'other' });
  }
  client.later();
  const lists = {
    get: `${PODS}/pod-0`,
    'list, nothing matches': `${PODS}?labelSelector=ten%3Dno`,
    'list, 10 match': `${PODS}?labelSelector=ten%3Dyes`,
    'list, all of 100': PODS,
  };
  const counts: Record<string, Used> = {};
  for (const [what, path] of Object.entries(lists)) {
    await client.ask('GET', path);
    counts[what] = await client.count('GET', path);
  }
  return counts;
}

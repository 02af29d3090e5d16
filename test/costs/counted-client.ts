import { createHash } from 'node:crypto';
import { createHints } from '../../lib/coordination/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { silentLogger as logger, type Random } from '../../lib/platform/index.ts';
import { createApi, ensureSystemNamespaces, readingVerbs, writingVerbs } from '../../lib/server/index.ts';
import { createStore, createWatches } from '../../lib/store/index.ts';
import { ADMIN } from '../support/service/admin.ts';
import { createMemoryQueues } from '../support/watch/memory-queues.ts';
import { seeded } from '../support/watch/memory-world.ts';
import { MovableClock } from '../support/watch/real-world.ts';
import type { Counter, Used } from './counting.ts';

const HOUR = 3_600_000;
/** The time of the first request. TTLs still lie in the future of the embedded DynamoDB. */
const START = Date.UTC(2100, 0, 1);

export type CountedClient = ReturnType<typeof openClient>;

/** Who asks an API whose requests to its table and its queues are counted. */
export function openClient(counter: Counter, real: Parameters<Counter['table']>[0]) {
  const clock = new MovableClock(START);
  const random = sameIds();
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
      user: ADMIN,
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    };
    const answer = await api.handle(request, AbortSignal.timeout(60_000));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as JsonObject;
  };
  return {
    clock,
    random,
    ask,
    /** What one request costs. */
    async count(...request: Parameters<typeof ask>): Promise<Used> {
      counter.take();
      await ask(...request);
      return counter.take();
    },
    /** The namespaces that there are to begin with. */
    prepare: () => ensureSystemNamespaces({ store, clock, random }),
    later: () => clock.advance(HOUR),
  };
}

/** Random values that are the same in each run, because the size of a compressed row depends on them. */
function sameIds(): Random {
  let made = 0;
  const uuid = () => {
    made += 1;
    const digits = createHash('sha256').update(String(made)).digest('hex');
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  };
  return { ...seeded(1), uuid };
}

import { createHints } from '../../lib/coordination/index.ts';
import type { JsonObject } from '../../lib/json/index.ts';
import { silentLogger as logger, systemRandom as random } from '../../lib/platform/index.ts';
import { createApi, ensureSystemNamespaces, readingVerbs, writingVerbs } from '../../lib/server/index.ts';
import { createStore, createWatches } from '../../lib/store/index.ts';
import { ADMIN } from '../support/service/admin.ts';
import { createMemoryQueues } from '../support/watch/memory-queues.ts';
import { MovableClock } from '../support/watch/real-world.ts';
import type { Counter, Used } from './counting.ts';

const HOUR = 3_600_000;

export type CountedClient = ReturnType<typeof openClient>;

/** Who asks an API whose requests to its table and its queues are counted. */
export function openClient(counter: Counter, real: Parameters<Counter['table']>[0]) {
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
      user: ADMIN,
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    };
    const answer = await api.handle(request, AbortSignal.timeout(60_000));
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as JsonObject;
  };
  return {
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

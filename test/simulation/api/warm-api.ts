import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { systemClock as clock, systemRandom as random, silentLogger } from '../../../lib/platform/index.ts';
import { createApi, readingVerbs, writingVerbs } from '../../../lib/server/index.ts';
import {
  beginSchema,
  createStore,
  createWatches,
  KNOWN_SCHEMAS,
  type Store,
} from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { type Asked, send } from './api-service.ts';

/**
 * Has the API load what it loads on first use: that takes real time, and in a run there is none. Whatever is loaded
 * already is there without waiting for more than promises. Answers the store that the requests wrote.
 * @throws where an answer is that something failed
 */
export async function warmApi(requests: readonly Asked[]): Promise<Store> {
  const outside = { clock, random, logger: silentLogger };
  const table = createMemoryTable();
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  const store = createStore({ ...outside, table });
  const watches = createWatches({ ...outside, store });
  const verbs = { ...readingVerbs, ...writingVerbs };
  const api = createApi({ ...outside, store, watches, verbs, announce: async () => {} });
  for (const request of requests) {
    const { status } = await send(api, request);
    if (status >= 500) throw new Error(`${request.method} ${request.url} was answered ${status}`);
  }
  return store;
}

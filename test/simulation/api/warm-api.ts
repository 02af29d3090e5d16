import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { systemClock as clock, systemRandom as random, silentLogger } from '../../../lib/platform/index.ts';
import { type ApiOptions, createApi, readingVerbs, writingVerbs } from '../../../lib/server/index.ts';
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
 * Has the API load the modules that it loads on first use. Loading takes real time, and a run has none. A loaded
 * module is available after promises alone. Returns the store that the requests wrote.
 * @throws if an answer has a status of 500 or above
 */
export async function warmApi(requests: readonly Asked[], webhooks?: ApiOptions['webhooks']): Promise<Store> {
  const outside = { clock, random, logger: silentLogger };
  const table = createMemoryTable();
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  const store = createStore({ ...outside, table });
  const watches = createWatches({ ...outside, store });
  const verbs = { ...readingVerbs, ...writingVerbs };
  const api = createApi({ ...outside, store, watches, verbs, webhooks, announce: async () => {} });
  for (const request of requests) {
    const { status } = await send(api, request);
    if (status >= 500) throw new Error(`${request.method} ${request.url} was answered ${status}`);
  }
  return store;
}

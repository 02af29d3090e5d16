import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { metadataOf } from '../../lib/json/index.ts';
import { DEFINITIONS } from '../../lib/kubernetes/lifecycle/index.ts';
import { loadComponents } from '../../lib/kubernetes/openapi/index.ts';
import { silentLogger } from '../../lib/platform/index.ts';
import { everything } from '../../lib/selectors/index.ts';
import {
  type ApiRequest,
  createApi,
  ensureBootstrapRoles,
  ensurePriorityClasses,
  ensureSystemNamespaces,
  readingVerbs,
  writingVerbs,
} from '../../lib/server/index.ts';
import { createWatches } from '../../lib/store/index.ts';
import { createMemoryWorld } from '../support/watch/memory-world.ts';
import type { Answered, ReplayedApi } from './replay.ts';

/**
 * Creates the whole API over a table in memory. No dispatch or reconcile function runs beside it.
 *
 * @param hasRoles whether the roles of a new cluster exist, and requests may impersonate users
 */
export async function createInProcessApi({ hasRoles = false } = {}): Promise<ReplayedApi> {
  const { world, clock } = await createMemoryWorld();
  const { store, hints } = world;
  const outside = { clock, random: world.random, logger: silentLogger, store };
  await clock.during(ensureSystemNamespaces(outside));
  await clock.during(ensurePriorityClasses(outside));
  if (hasRoles) await clock.during(ensureBootstrapRoles(outside));
  const api = createApi({
    ...outside,
    verbs: { ...readingVerbs, ...writingVerbs },
    openApi: loadComponents,
    watches: createWatches(outside),
    announce: (...hint) => hints.announce(...hint),
  });
  return {
    answer: (request) => clock.during(answer(hasRoles ? impersonating(request) : request)),
    begin: (time) => clock.advance(Math.max(0, time - clock.now())),
    settle: async () => {
      const { items } = await store.list(DEFINITIONS, { selector: everything });
      const leaving = items.filter(({ body }) => metadataOf(body).deletionTimestamp !== undefined);
      for (const { name } of leaving) await clock.during(letGo(name.name));
    },
  };

  async function answer(request: ApiRequest): Promise<Answered> {
    const { status, headers, body } = await api.handle(request, new AbortController().signal);
    if (typeof body === 'string') return { status, headers, text: body };
    if (!(body instanceof Uint8Array)) return { status, headers, text: await text(body) };
    const isCompressed = headers['content-encoding'] === 'gzip';
    return { status, headers, text: (isCompressed ? gunzipSync(body) : Buffer.from(body)).toString() };
  }

  /** Reconciles a definition, with dispatch beside it: dispatch reports the deleted objects. */
  async function letGo(name: string): Promise<void> {
    let done = false;
    const work = world.reconciler.reconcile({ kind: 'definition', name }).finally(() => {
      done = true;
    });
    while (!done) {
      const messages = await world.queues.drain(world.eventQueueUrl);
      for (const { body } of messages) await world.dispatcher.dispatch(JSON.parse(body));
      await clock.sleep(500);
    }
    await work;
  }
}

/** The request with the user that its headers impersonate, as the login reads them. */
function impersonating(request: ApiRequest): ApiRequest {
  const named = Object.entries(request.headers).filter(([name]) => name.startsWith('impersonate-'));
  if (named.length === 0) return request;
  return { ...request, impersonation: Object.fromEntries(named.map(([name, value]) => [name, [value]])) };
}

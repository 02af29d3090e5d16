import { NAMESPACES } from '../../lib/kubernetes/lifecycle/index.ts';
import { loadComponents } from '../../lib/kubernetes/openapi/index.ts';
import { silentLogger } from '../../lib/platform/index.ts';
import {
  type ApiOptions,
  type ApiRequest,
  createApi,
  createPlacingVerbs,
  readingVerbs,
  writingVerbs,
} from '../../lib/server/index.ts';
import { beginSchema, createWatches, KNOWN_SCHEMAS } from '../../lib/store/index.ts';
import { ADMIN } from '../support/service/admin.ts';
import { createMemoryWorld, seeded } from '../support/watch/memory-world.ts';
import type { FuzzRequest } from './fuzz-request.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly body: string;
  /** Processor milliseconds of the whole process, garbage collection included. */
  readonly cpu: number;
  /** Processor milliseconds of the thread that answered: the helper threads of garbage collection do not count. */
  readonly threadCpu: number;
  /** Megabytes by which the process grew beyond its largest size. */
  readonly grown: number;
}

/** The real API in this process, over a table in memory. */
export interface FuzzedApi {
  send(request: FuzzRequest): Promise<FuzzAnswer>;
}

export async function createFuzzedApi(): Promise<FuzzedApi> {
  const memory = await createMemoryWorld();
  const { store, table } = memory.world;
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  const outside = { clock: memory.clock, random: seeded(1), logger: silentLogger };
  const api = createApi({
    ...outside,
    store,
    verbs: verbs(),
    openApi: loadComponents,
    watches: createWatches({ ...outside, store }),
    announce: async () => {},
  });
  return {
    async send(fuzzed) {
      const request = apiRequest(fuzzed);
      globalThis.gc?.();
      const size = process.resourceUsage().maxRSS;
      const before = process.cpuUsage();
      const threadBefore = process.threadCpuUsage();
      const answered = await memory.clock.during(api.handle(request, new AbortController().signal));
      const threadCpu = milliseconds(process.threadCpuUsage(threadBefore));
      const cpu = milliseconds(process.cpuUsage(before));
      const grown = (process.resourceUsage().maxRSS - size) / 1024;
      const { status, body } = answered;
      return { status, body: typeof body === 'string' ? body : '', cpu, threadCpu, grown };
    },
  };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** Those of all functions together. */
function verbs(): ApiOptions['verbs'] {
  const placing = createPlacingVerbs({ logger: silentLogger });
  return {
    ...readingVerbs,
    ...writingVerbs,
    create: (call) => {
      const { create } = call.route.type.kind === 'PlacementReview' ? placing : writingVerbs;
      if (create === undefined) throw new Error('a function has no create');
      return create(call);
    },
  };
}

function apiRequest({ method, path, type, accept = '*/*', body }: FuzzRequest): ApiRequest {
  const [before = '', query = ''] = path.split('?', 2);
  return {
    method,
    path: before,
    query: new URLSearchParams(query),
    headers: { 'user-agent': 'fuzz/1', accept, ...(type === undefined ? {} : { 'content-type': type }) },
    user: ADMIN,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  };
}

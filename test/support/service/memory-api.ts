import type { JsonObject } from '../../../lib/json/index.ts';
import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { loadComponents } from '../../../lib/kubernetes/openapi/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import {
  type ApiOptions,
  type ApiRequest,
  createApi,
  readingVerbs,
  type UserInfo,
  writingVerbs,
} from '../../../lib/server/index.ts';
import { beginSchema, createWatches, KNOWN_SCHEMAS } from '../../../lib/store/index.ts';
import { createMemoryWorld, type MemoryWorld, seeded } from '../watch/memory-world.ts';
import { ADMIN } from './admin.ts';

export interface MemoryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the answer is no JSON. */
  readonly body: JsonObject;
}

/** The API in this process, over a table in memory, with dispatch and reconcile beside it. */
export interface MemoryApi {
  readonly memory: MemoryWorld;
  /** The `type` of the body; application/json by default. */
  send(...request: MemoryRequest): Promise<MemoryAnswer>;
  /** The same for a request that must succeed; returns its body. */
  ask(...request: MemoryRequest): Promise<JsonObject>;
  /** The same, from another caller than the administrator. */
  as(user: UserInfo): Pick<MemoryApi, 'send' | 'ask'>;
  /** The same, with all that the login says of the caller, and the headers of an impersonation. */
  by(asker: Asker): Pick<MemoryApi, 'send' | 'ask'>;
}

type Asker = Pick<ApiRequest, 'user' | 'principal' | 'bound' | 'impersonation'>;

type MemoryRequest = [method: string, path: string, body?: JsonObject, type?: string, accept?: string];

const ALL: ApiOptions['verbs'] = { ...readingVerbs, ...writingVerbs };

export async function createMemoryApi(
  seed = 1,
  verbs = ALL,
  more: Partial<
    Pick<
      ApiOptions,
      | 'auditing'
      | 'authorLife'
      | 'budget'
      | 'maximumBytes'
      | 'serviceAccounts'
      | 'serviceRange'
      | 'store'
      | 'webhooks'
    >
  > = {},
): Promise<MemoryApi> {
  const memory = await createMemoryWorld(seed, { authorLife: more.authorLife });
  const { store, table } = memory.world;
  await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
  const outside = { clock: memory.clock, random: seeded(seed), logger: silentLogger };
  const api = createApi({
    ...outside,
    store,
    ...more,
    verbs,
    openApi: loadComponents,
    watches: createWatches({ ...outside, store }),
    announce: async () => {},
  });
  const sendAs = async (
    asker: Asker,
    [method, path, body, type = 'application/json', accept = '*/*']: MemoryRequest,
  ): Promise<MemoryAnswer> => {
    const [before = '', query = ''] = path.split('?', 2);
    const request: ApiRequest = {
      method,
      path: before,
      query: new URLSearchParams(query),
      headers: { 'user-agent': 'test/1', accept, ...(body === undefined ? {} : { 'content-type': type }) },
      ...asker,
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    };
    const answered = await memory.clock.during(api.handle(request, new AbortController().signal));
    const text = String(answered.body);
    const isJson = answered.headers['content-type'] === 'application/json';
    return { status: answered.status, headers: answered.headers, body: isJson ? JSON.parse(text) : {} };
  };
  const by: MemoryApi['by'] = (asker) => ({
    send: (...request) => sendAs(asker, request),
    async ask(...request) {
      const { status, body } = await sendAs(asker, request);
      if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  });
  const as: MemoryApi['as'] = (user) => by({ user });
  return { memory, ...as(ADMIN), as, by };
}

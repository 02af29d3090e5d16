import type { JsonObject } from '../../../lib/json/index.ts';
import { NAMESPACES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { loadComponents } from '../../../lib/kubernetes/openapi/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import {
  type Api,
  type ApiRequest,
  type ApiResponse,
  createApi,
  ensureBootstrapRoles,
  ensureSystemNamespaces,
  readingVerbs,
  type UserInfo,
  writingVerbs,
} from '../../../lib/server/index.ts';
import {
  beginSchema,
  createStore,
  createWatches,
  KNOWN_SCHEMAS,
  type Table,
} from '../../../lib/store/index.ts';
import { OwnedClock } from '../clocks/owned-clock.ts';
import { type CountedTable, countedTable } from '../store/counted-table.ts';
import { createFaultyTable, type FaultyTable } from '../store/faulty-table.ts';
import { createMemoryTable } from '../store/memory-table.ts';
import { seeded } from '../watch/memory-world.ts';

type Json = ReturnType<typeof JSON.parse>;

export interface AccessAnswer {
  readonly status: number;
  readonly body: Json;
}

/** One request of somebody. `type` of the body: application/json where it is not said. */
export type Ask = (method: string, path: string, body?: JsonObject, type?: string) => Promise<AccessAnswer>;

/** The API over a table, with the roles that are there from the start, to whoever asks. */
export class AccessApi {
  readonly clock = new OwnedClock();
  readonly table: FaultyTable;
  readonly #counted: CountedTable;
  /** Each is a process with caches of its own. */
  #process: Api;

  private constructor(table: Table) {
    this.#counted = countedTable(table);
    this.table = createFaultyTable(this.#counted.table);
    this.#process = this.#start();
  }

  /** @param table one in memory, where it is not said */
  static async create(table: Table = createMemoryTable()): Promise<AccessApi> {
    await beginSchema(table, KNOWN_SCHEMAS, NAMESPACES);
    const api = new AccessApi(table);
    const outside = { store: api.#store(), clock: api.clock, random: seeded(2) };
    await api.during(ensureSystemNamespaces(outside));
    await api.during(ensureBootstrapRoles(outside));
    return api;
  }

  /** Goes on with a process that remembers nothing. */
  restart(): void {
    this.#process = this.#start();
  }

  as(user: UserInfo): Ask {
    return this.by({ user });
  }

  /** One request of a principal that is no administrator, with headers of an impersonation where there are some. */
  ofPrincipal(principal: string, impersonation?: ApiRequest['impersonation']): Ask {
    return this.by(principalOf(principal, impersonation));
  }

  by(asker: Asker): Ask {
    return async (method, target, body, type = 'application/json') => {
      const asked = { method, target, ...(body !== undefined && { body, type }) };
      const response = await this.during(this.send(asker, asked));
      const isJson = String(response.headers['content-type']).startsWith('application/json');
      return { status: response.status, body: isJson ? JSON.parse(String(response.body)) : {} };
    };
  }

  /** The lines of a watch, each as it comes. */
  async watch(user: UserInfo | string, target: string): Promise<AsyncIterable<string>> {
    const asker = typeof user === 'string' ? principalOf(user) : { user };
    const { body } = await this.during(this.send(asker, { method: 'GET', target }));
    return body as AsyncIterable<string>;
  }

  /** The answer as it is. The clock is the caller's to move. */
  send(asker: Asker, asked: Asked, signal = new AbortController().signal): Promise<ApiResponse> {
    return this.#process.handle(requestOf(asker, asked), signal);
  }

  /** Moves the clock on while something is waited for, and the table is not. */
  during<Result>(work: Promise<Result>): Promise<Result> {
    return this.clock.during(work, { isBusy: this.#counted.isBusy });
  }

  #store() {
    const { table, clock } = this;
    return createStore({ table, clock, random: seeded(1), logger: silentLogger });
  }

  #start(): Api {
    const outside = { clock: this.clock, random: seeded(3), logger: silentLogger, store: this.#store() };
    return createApi({
      ...outside,
      verbs: { ...readingVerbs, ...writingVerbs },
      openApi: loadComponents,
      watches: createWatches(outside),
      announce: async () => undefined,
    });
  }
}

type Asker = Pick<ApiRequest, 'user' | 'principal' | 'impersonation'>;

/** As the login says of one. */
function principalOf(principal: string, impersonation?: ApiRequest['impersonation']): Asker {
  const user = { username: principal, groups: ['system:authenticated'], extra: { sessionName: ['alice'] } };
  return { user, principal, impersonation };
}

export interface Asked {
  readonly method: string;
  /** The path, and what is behind its question mark. */
  readonly target: string;
  readonly body?: JsonObject | undefined;
  /** Of the body; application/json where it is not said. */
  readonly type?: string | undefined;
  readonly accept?: string | undefined;
}

function requestOf(
  asker: Asker,
  { method, target, body, type = 'application/json', accept }: Asked,
): ApiRequest {
  const [path = '', query = ''] = target.split('?', 2);
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers: {
      'user-agent': 'test/1',
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && { 'content-type': type }),
    },
    ...asker,
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

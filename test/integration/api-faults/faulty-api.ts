import { afterAll, beforeEach } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { serveBuffered } from '../../../functions/http/serve.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
  TIMING,
} from '../../../lib/platform/index.ts';
import { type Api, createApi, readingVerbs, writingVerbs } from '../../../lib/server/index.ts';
import { createStore, createWatches, type Store } from '../../../lib/store/index.ts';
import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../../support/store/faulty-dynamodb.ts';
import { startTable } from '../../support/store/table.ts';
import { contextWith, proxyEvent } from '../../unit/functions/http/proxy-event.ts';

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

export interface Answered {
  readonly status: number;
  readonly headers: NonNullable<APIGatewayProxyResult['headers']>;
  readonly body: JsonObject & { message?: string; reason?: string; details?: JsonObject };
  /** The duration in milliseconds. */
  readonly took: number;
}

/** An API over a table whose connection fails as a test decides. */
export interface FaultyApi {
  readonly wire: FaultyDynamo;
  readonly store: Store;
  send(httpMethod: string, path: string, body?: JsonObject): Promise<Answered>;
  /** Creates a ConfigMap. */
  create(name: string): Promise<Answered>;
  /** Injects a fault into operations of one kind, at most `times` times. `met` counts the injected faults. */
  faultOf(operation: string, fault: WireFault, times?: number): { met: number };
  stop(): Promise<void>;
}

export const throttled: WireFault = { error: 'ProvisionedThroughputExceededException' };
export const failed: WireFault = { error: 'InternalServerError', status: 500 };
/** The answer of the embedded database to a write when its disk is full. */
export const fullDisk: WireFault = {
  error: 'InternalServerError',
  status: 500,
  details: { message: 'commit failed (backend: database or disk is full) and rollback also failed' },
};
export const throttledIndex: WireFault = {
  error: 'TransactionCanceledException',
  details: { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] },
};

let names = 0;
export function freshName(): string {
  names += 1;
  return `made-${names}`;
}

export const versionOf = ({ body }: Answered) => (body.metadata as JsonObject | undefined)?.resourceVersion;

/** Opens the API for one test file. Faults are cleared before each test, and the API stops after the last one. */
export async function openFaultyApi(): Promise<FaultyApi> {
  const api = await startFaultyApi();
  afterAll(() => api.stop());
  beforeEach(() => {
    api.wire.fault = () => undefined;
  });
  return api;
}

async function startFaultyApi(): Promise<FaultyApi> {
  const database = await startTable();
  const wire = await startFaultyDynamo(database.endpoint);
  const store = createStore({ table: database.through(wire.endpoint), clock, random, logger });
  const watches = createWatches({ store, clock, random, logger });
  const verbs = { ...readingVerbs, ...writingVerbs };
  const api = createApi({ verbs, store, watches, clock, random, logger, announce: async () => undefined });
  const send = (httpMethod: string, path: string, body?: JsonObject) => ask(api, { httpMethod, path, body });
  await send('POST', CONFIG_MAPS, { metadata: { name: 'first' } });
  return {
    wire,
    store,
    send,
    create: (name) => send('POST', CONFIG_MAPS, { metadata: { name } }),
    faultOf(operation, fault, times = Number.POSITIVE_INFINITY) {
      const seen = { met: 0 };
      wire.fault = (asked) => {
        if (asked !== operation || seen.met >= times) return undefined;
        seen.met += 1;
        return fault;
      };
      return seen;
    },
    async stop() {
      await wire.stop();
      await database.stop();
    },
  };
}

interface Asked {
  readonly httpMethod: string;
  readonly path: string;
  readonly body: JsonObject | undefined;
}

async function ask(api: Api, { httpMethod, path, body }: Asked): Promise<Answered> {
  const serve = serveBuffered({ api, clock, methods: [httpMethod] });
  const began = clock.now();
  const text = body === undefined ? null : JSON.stringify(body);
  const event = proxyEvent({ httpMethod, path, body: text });
  const requestContext = {
    ...event.requestContext,
    authorizer: { principal: 'admin', administrator: 'true' },
  };
  const result = await serve({ ...event, requestContext }, contextWith(TIMING.gateway));
  const { statusCode: status, headers = {} } = result;
  return { status, headers, body: JSON.parse(result.body), took: clock.now() - began };
}

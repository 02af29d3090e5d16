import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { serveBuffered } from '../../functions/http/serve.ts';
import { createApi, readingVerbs, writingVerbs } from '../../lib/api/index.ts';
import { systemRandom as random, silentLogger, TIMING } from '../../lib/platform/index.ts';
import { createStore, type JsonObject, type Store } from '../../lib/store/index.ts';
import { createWatches } from '../../lib/watch/index.ts';
import { createFastClock } from '../support/fast-clock.ts';
import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../support/faulty-dynamodb.ts';
import { startTable, type TestTable } from '../support/table.ts';
import { contextWith, proxyEvent } from '../unit/functions/http/proxy-event.ts';

/** So many times faster than they are do the service's durations pass: a request has 4 s. */
const SPEED = 6;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let database: TestTable;
let wire: FaultyDynamo;
let store: Store;
let api: ReturnType<typeof createApi>;
const clock = createFastClock(SPEED);

beforeAll(async () => {
  database = await startTable();
  wire = await startFaultyDynamo(database.endpoint);
  await send('POST', CONFIG_MAPS, { metadata: { name: 'first' } });
});
afterAll(async () => {
  await wire.stop();
  await database.stop();
});
beforeEach(() => {
  wire.fault = () => undefined;
});

function openApi(): ReturnType<typeof createApi> {
  const logger = silentLogger;
  store ??= createStore({ table: database.through(wire.endpoint), clock, random, logger });
  const watches = createWatches({ store, clock, random, logger });
  const verbs = { ...readingVerbs, ...writingVerbs };
  return createApi({ verbs, store, watches, clock, random, logger, announce: async () => undefined });
}

interface Answered {
  readonly status: number;
  readonly headers: NonNullable<APIGatewayProxyResult['headers']>;
  readonly body: JsonObject & { message?: string; reason?: string; details?: JsonObject };
  /** As the service's clock has it, in ms. */
  readonly took: number;
}

async function send(httpMethod: string, path: string, body?: JsonObject): Promise<Answered> {
  api ??= openApi();
  const serve = serveBuffered({ api, clock, methods: [httpMethod] });
  const began = clock.now();
  const text = body === undefined ? null : JSON.stringify(body);
  const result = await serve(proxyEvent({ httpMethod, path, body: text }), contextWith(TIMING.gateway));
  const { statusCode: status, headers = {} } = result;
  return { status, headers, body: JSON.parse(result.body), took: clock.now() - began };
}

/** The fault for operations of a kind, while it lasts. */
function faultOf(operation: string, fault: WireFault, times = Number.POSITIVE_INFINITY): { met: number } {
  const seen = { met: 0 };
  wire.fault = (asked) => {
    if (asked !== operation || seen.met >= times) return undefined;
    seen.met += 1;
    return fault;
  };
  return seen;
}

const throttled: WireFault = { error: 'ProvisionedThroughputExceededException' };
const failed: WireFault = { error: 'InternalServerError', status: 500 };
const throttledIndex: WireFault = {
  error: 'TransactionCanceledException',
  details: { CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }] },
};

let names = 0;
function freshName(): string {
  names += 1;
  return `made-${names}`;
}

const create = (name: string) => send('POST', CONFIG_MAPS, { metadata: { name } });
const versionOf = ({ body }: Answered) => (body.metadata as JsonObject | undefined)?.resourceVersion;
const tryAgain = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } };

describe('a request meets a fault that passes', () => {
  it.each<[string, string, WireFault]>([
    ['a throttled read', 'GetItem', throttled],
    ['a failing read', 'GetItem', failed],
    ['a read whose answer is lost', 'GetItem', 'answer lost'],
    ['a throttled allotment', 'UpdateItem', throttled],
    ['an allotment whose answer is lost', 'UpdateItem', 'answer lost'],
    ['a transaction cancelled by a throttled index', 'TransactWriteItems', throttledIndex],
    ['a throttled transaction', 'TransactWriteItems', throttled],
    ['a transaction whose request is lost', 'TransactWriteItems', 'request lost'],
    ['a transaction whose answer is lost', 'TransactWriteItems', 'answer lost'],
  ])('%s: the object is created, once', async (_, operation, fault) => {
    const name = freshName();
    const seen = faultOf(operation, fault, 1);
    const created = await create(name);
    expect(seen.met).toBe(1);
    expect(created.status).toBe(201);
    wire.fault = () => undefined;
    expect(versionOf(await send('GET', `${CONFIG_MAPS}/${name}`))).toBe(versionOf(created));
    const changes = await store.changes('core/configmaps', 1, await store.head('core/configmaps'));
    const own = changes.filter((change) => change.name.name === name);
    expect(own.map(({ rv }) => String(rv))).toEqual([versionOf(created)]);
  });

  it.each<[string, string, WireFault]>([
    ['a throttled query', 'Query', throttled],
    ['a failing query', 'Query', failed],
    ['a throttled read of the head', 'GetItem', throttled],
  ])('%s: the list is answered', async (_, operation, fault) => {
    const seen = faultOf(operation, fault, 2);
    expect((await send('GET', CONFIG_MAPS)).status).toBe(200);
    expect(seen.met).toBe(2);
  });
});

describe('a request meets a fault that stays', () => {
  it.each<[string, WireFault]>([
    ['throttling', throttled],
    ['failing', failed],
  ])('%s of every operation is a 429 that says when to try again', async (_, fault) => {
    wire.fault = () => fault;
    for (const answer of [await send('GET', CONFIG_MAPS), await create('never')]) {
      expect(answer.body).toMatchObject(tryAgain);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.took).toBeLessThan(TIMING.request);
    }
    wire.fault = () => undefined;
    expect((await send('GET', `${CONFIG_MAPS}/never`)).status).toBe(404);
  });

  it.each<[string, WireFault, string]>([
    ['throttled transactions', throttled, 'was not written: the table is asked too much'],
    ['throttled indexes', throttledIndex, 'was not written: the table is asked too much'],
    ['transactions that get no answer', 'silence', 'was not written: the table did not answer in time'],
  ])('%s are a 429, and nothing is written', async (_, fault, says) => {
    faultOf('TransactWriteItems', fault);
    const answer = await create('never');
    expect(answer.body).toMatchObject(tryAgain);
    expect(answer.body.message).toContain(says);
    expect(answer.took).toBeLessThan(TIMING.request);
    wire.fault = () => undefined;
    expect((await send('GET', `${CONFIG_MAPS}/never`)).status).toBe(404);
  });

  it('a table that is silent is a 504 when the time is over, to a read', async () => {
    wire.fault = () => 'silence';
    const { body, headers, took } = await send('GET', CONFIG_MAPS);
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('request did not complete within the allotted timeout');
    expect(headers['retry-after']).toBeUndefined();
    expect(took).toBeGreaterThanOrEqual(TIMING.request - 100);
    expect(took).toBeLessThan(TIMING.gateway);
  });

  it('a table that is silent is a 504 that says that nothing was written, to a write', async () => {
    wire.fault = () => 'silence';
    const { body, took } = await create('never');
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('was not written');
    expect(took).toBeLessThan(TIMING.gateway);
  });

  it.each<[string, WireFault]>([
    ['stands', 'answer lost'],
    ['does not stand', 'request lost'],
  ])('an undecided create is a 504, never a 201 nor a 409, where it %s', async (_, fault) => {
    const name = freshName();
    wire.fault = (operation) => {
      if (operation === 'TransactWriteItems') return fault;
      return operation === 'PutItem' ? 'silence' : undefined;
    };
    const { body, headers, took } = await create(name);
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('it may have been applied; read it before trying again');
    expect(headers['retry-after']).toBeUndefined();
    expect(took).toBeLessThan(TIMING.gateway);
    wire.fault = () => undefined;
    expect((await send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(fault === 'answer lost' ? 200 : 404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../../support/store/faulty-dynamodb.ts';
import { WORST_BODY } from '../../support/store/worst-bodies.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let wire: FaultyDynamo;
let service: Service;

beforeAll(async () => {
  const betweenDatabase = async (endpoint: string) => {
    wire = await startFaultyDynamo(endpoint);
    return wire.endpoint;
  };
  service = await startService({ fault: { betweenDatabase } });
});
afterAll(async () => {
  await service.stop();
  await wire.stop();
});
beforeEach(() => {
  wire.fault = () => undefined;
});

/** Injects a fault `times` times into one operation on configmaps only, so that nothing else is affected. */
function faultOf(operation: string, fault: WireFault, times: number): void {
  let met = 0;
  wire.fault = (asked, body) => {
    if (asked !== operation || !body.includes('core/configmaps') || met >= times) return undefined;
    met += 1;
    return fault;
  };
}

const throttled: WireFault = { error: 'ThrottlingException' };
const create = (name: string, data = {}) =>
  service.http.send('POST', CONFIG_MAPS, { body: { metadata: { name }, data } });
const expectTryAgain = ({ status, headers, body, reason }: Answer) => {
  expect({ status, reason }).toEqual({ status: 429, reason: 'TooManyRequests' });
  expect(headers.get('retry-after')).toBe('1');
  expect(body).toMatchObject({ kind: 'Status', details: { retryAfterSeconds: 1 } });
};

describe('a throttled table', () => {
  it('a create succeeds after a few throttled attempts', async () => {
    faultOf('TransactWriteItems', throttled, 3);
    expect((await create('patient')).status).toBe(201);
  });

  it('a list and a create get a 429 with Retry-After, and nothing is written', async () => {
    wire.fault = (asked, body) =>
      ['Query', 'TransactWriteItems'].includes(asked) && body.includes('core/configmaps')
        ? throttled
        : undefined;
    const [listed, created] = await Promise.all([service.http.send('GET', CONFIG_MAPS), create('refused')]);
    expectTryAgain(listed);
    expectTryAgain(created);
    expect(created.message).toContain('was not written');
    wire.fault = () => undefined;
    expect((await service.http.send('GET', `${CONFIG_MAPS}/refused`)).status).toBe(404);
  });
});

describe('a lost response of DynamoDB', () => {
  it('a create succeeds if the response to its committed transaction is lost', async () => {
    faultOf('TransactWriteItems', 'answer lost', 1);
    const created = await create('once');
    expect(created.status).toBe(201);
    const { metadata } = (await service.http.get(`${CONFIG_MAPS}/once`)).body;
    expect(metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
  });
});

describe('a large list', () => {
  it('a list beyond the limit of a buffered Lambda response is streamed completely', async () => {
    const data = { text: 'x'.repeat(700_000) };
    for (let index = 0; index < 10; index += 1) {
      expect((await create(`large-${index}`, data)).status).toBe(201);
    }
    const { items, body } = await service.http.get(CONFIG_MAPS);
    const large = items.filter(({ metadata }) => metadata.name.startsWith('large-'));
    expect(large.map((item) => item.data)).toEqual(Array(10).fill(data));
    expect(JSON.stringify(body).length).toBeGreaterThan(6 * 1024 * 1024);
  });
});

describe('a list that exceeds the memory of read', () => {
  const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const names = Array.from({ length: 12 }, (_, index) => `worst-${String(index).padStart(2, '0')}`);

  beforeAll(async () => {
    for (const name of names) {
      await service.http.post(REVISIONS, { metadata: { name }, data: { junk: WORST_BODY }, revision: 1 });
    }
  });

  let queries = 0;
  /** Counts the queries for objects, and refuses the query with the number `last`. */
  const refuse = (last: number) => {
    queries = 0;
    wire.fault = (asked, body) => {
      if (asked === 'Query' && body.includes('object#apps/controllerrevisions')) queries += 1;
      return asked === 'Query' && queries === last ? { error: 'AccessDeniedException' } : undefined;
    };
  };

  it('a list that exceeds the memory is streamed completely', async () => {
    refuse(Number.POSITIVE_INFINITY);
    const { items } = await service.http.get(REVISIONS);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    // The test compares text, because jest takes seconds to compare sixty thousand values each.
    const data = JSON.stringify({ junk: WORST_BODY });
    expect(items.map((item) => JSON.stringify(item.data) === data)).toEqual(names.map(() => true));
  });

  it('a list that breaks off is an error to its client, not a shorter list', async () => {
    const all = queries;
    refuse(all);
    const response = await fetch(`${service.http.url}${REVISIONS}`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(queries).toBe(all);
  });
});

it('the only logged problem is that of the list that broke off', () => {
  expect(service.problems).toEqual([expect.stringContaining('AccessDeniedException')]);
});

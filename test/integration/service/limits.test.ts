import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { type FaultyDynamo, startFaultyDynamo, type WireFault } from '../../support/store/faulty-dynamodb.ts';

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

/** A fault of one operation on the configmaps alone: nobody else is to suffer. */
function faultOf(operation: string, fault: WireFault, times = Number.POSITIVE_INFINITY): void {
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

describe('a busy table', () => {
  it('costs a create only time', async () => {
    faultOf('TransactWriteItems', throttled, 3);
    expect((await create('patient')).status).toBe(201);
  });

  it('answers a list with 429 and when to try again', async () => {
    faultOf('Query', throttled);
    expectTryAgain(await service.http.send('GET', CONFIG_MAPS));
  });

  it('answers a create with 429, and nothing is written', async () => {
    faultOf('TransactWriteItems', throttled);
    const answer = await create('refused');
    expectTryAgain(answer);
    expect(answer.message).toContain('was not written');
    wire.fault = () => undefined;
    expect((await service.http.send('GET', `${CONFIG_MAPS}/refused`)).status).toBe(404);
  });
});

describe('a lost answer', () => {
  it('to a transaction that was carried out is a create all the same', async () => {
    faultOf('TransactWriteItems', 'answer lost', 1);
    const created = await create('once');
    expect(created.status).toBe(201);
    const { metadata } = (await service.http.get(`${CONFIG_MAPS}/once`)).body;
    expect(metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
  });
});

describe('a list', () => {
  it('of more than Lambda carries in a buffered answer is streamed, whole', async () => {
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

it('nothing of all that went wrong unseen', () => {
  expect(service.problems).toEqual([]);
});

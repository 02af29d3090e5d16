import { describe, expect, it } from '@jest/globals';
import type { WireFault } from '../../support/store/faulty-dynamodb.ts';
import { readChanges } from '../../support/store/read-changes.ts';
import {
  CONFIG_MAPS,
  failed,
  freshName,
  fullDisk,
  openFaultyApi,
  throttled,
  throttledIndex,
  versionOf,
} from './faulty-api.ts';

const api = await openFaultyApi();

describe('a request during a temporary fault', () => {
  it.each<[string, string, WireFault]>([
    ['a throttled read', 'BatchGetItem', throttled],
    ['a failing read', 'BatchGetItem', failed],
    ['a read whose answer is lost', 'BatchGetItem', 'answer lost'],
    ['a throttled allotment', 'UpdateItem', throttled],
    ['an allotment whose answer is lost', 'UpdateItem', 'answer lost'],
    ['a transaction cancelled by a throttled index', 'TransactWriteItems', throttledIndex],
    ['a throttled transaction', 'TransactWriteItems', throttled],
    ['a transaction whose request is lost', 'TransactWriteItems', 'request lost'],
    ['a transaction whose answer is lost', 'TransactWriteItems', 'answer lost'],
  ])('an object is created once despite %s', async (_, operation, fault) => {
    const name = freshName();
    const seen = api.faultOf(operation, fault, 1);
    const created = await api.create(name);
    expect(seen.met).toBe(1);
    expect(created.status).toBe(201);
    api.wire.fault = () => undefined;
    expect(versionOf(await api.send('GET', `${CONFIG_MAPS}/${name}`))).toBe(versionOf(created));
    const changes = await readChanges(api.store, 'core/configmaps');
    const own = changes.filter((change) => change.name.name === name);
    expect(own.map(({ rv }) => String(rv))).toEqual([versionOf(created)]);
  });

  it.each<[string, string, WireFault]>([
    ['a throttled query', 'Query', throttled],
    ['a failing query', 'Query', failed],
    ['a throttled read of the head', 'GetItem', throttled],
  ])('a list is answered despite %s', async (_, operation, fault) => {
    const seen = api.faultOf(operation, fault, 2);
    expect((await api.send('GET', CONFIG_MAPS)).status).toBe(200);
    expect(seen.met).toBe(2);
  });
});

describe('a full disk of the embedded database', () => {
  it.each(['UpdateItem', 'TransactWriteItems'])(
    'a full disk during %s gives a 503 at once with the reason, and nothing is written',
    async (operation) => {
      const name = freshName();
      const seen = api.faultOf(operation, fullDisk);
      const { status, body, headers } = await api.create(name);
      expect([status, body.reason, body.message]).toEqual([
        503,
        'ServiceUnavailable',
        'nothing was written: the disk of the local database is full; free some space and send the request again',
      ]);
      expect(headers['retry-after']).toBeUndefined();
      expect(seen.met).toBe(1);
      api.wire.fault = () => undefined;
      expect((await api.send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(404);
      expect((await api.create(name)).status).toBe(201);
    },
  );
});

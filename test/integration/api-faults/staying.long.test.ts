import { describe, expect, it } from '@jest/globals';
import { TIMING } from '../../../lib/platform/index.ts';
import type { WireFault } from '../../support/store/faulty-dynamodb.ts';
import { CONFIG_MAPS, failed, freshName, openFaultyApi, throttled, throttledIndex } from './faulty-api.ts';

const api = await openFaultyApi();

const tryAgain = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } };

/** These tests run in real time. A request has 25 s. */
describe('a request during a permanent fault', () => {
  it.each<[string, WireFault]>([
    ['throttling', throttled],
    ['failing', failed],
  ])('%s of every operation gives a 429 with Retry-After', async (_, fault) => {
    api.wire.fault = () => fault;
    for (const answer of [await api.send('GET', CONFIG_MAPS), await api.create('never')]) {
      expect(answer.body).toMatchObject(tryAgain);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.took).toBeLessThan(TIMING.request);
    }
    api.wire.fault = () => undefined;
    expect((await api.send('GET', `${CONFIG_MAPS}/never`)).status).toBe(404);
  });

  it.each<[string, WireFault, string]>([
    ['throttled transactions', throttled, 'was not written: the table throttled the request'],
    ['throttled indexes', throttledIndex, 'was not written: the table throttled the request'],
    ['transactions that get no answer', 'silence', 'was not written: the table did not answer in time'],
  ])('%s give a 429, and nothing is written', async (_, fault, says) => {
    api.faultOf('TransactWriteItems', fault);
    const answer = await api.create('never');
    expect(answer.body).toMatchObject(tryAgain);
    expect(answer.body.message).toContain(says);
    expect(answer.took).toBeLessThan(TIMING.request);
    api.wire.fault = () => undefined;
    expect((await api.send('GET', `${CONFIG_MAPS}/never`)).status).toBe(404);
  });

  it('a read of a table that does not answer gives a 504 at the timeout', async () => {
    api.wire.fault = () => 'silence';
    const { body, headers, took } = await api.send('GET', CONFIG_MAPS);
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('request did not complete within the allotted timeout');
    expect(headers['retry-after']).toBeUndefined();
    expect(took).toBeGreaterThanOrEqual(TIMING.request - 100);
    expect(took).toBeLessThan(TIMING.gateway);
  });

  it('a write to a table that does not answer gives a 504 that says that nothing was written', async () => {
    api.wire.fault = () => 'silence';
    const { body, took } = await api.create('never');
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('was not written');
    expect(took).toBeLessThan(TIMING.gateway);
  });

  it.each<[string, WireFault]>([
    ['stands', 'answer lost'],
    ['does not stand', 'request lost'],
  ])('an undecided create gives a 504, never a 201 or 409, if it %s', async (_, fault) => {
    const name = freshName();
    api.wire.fault = (operation) => {
      if (operation === 'TransactWriteItems') return fault;
      return operation === 'PutItem' ? 'silence' : undefined;
    };
    const { body, headers, took } = await api.create(name);
    expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(body.message).toContain('it may have been applied; read it before trying again');
    expect(headers['retry-after']).toBeUndefined();
    expect(took).toBeLessThan(TIMING.gateway);
    api.wire.fault = () => undefined;
    expect((await api.send('GET', `${CONFIG_MAPS}/${name}`)).status).toBe(
      fault === 'answer lost' ? 200 : 404,
    );
  });
});

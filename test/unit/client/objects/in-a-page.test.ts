import { describe, expect, it } from '@jest/globals';
import { connect, resource, UnavailableError } from '../../../../lib/client/objects/index.ts';

const DEVICES = resource('fleet.example/v1', 'devices', { kind: 'Device' });
const JSON_TYPE = { 'content-type': 'application/json' };

/** A function that refuses to be called as a method, as `fetch` and `requestAnimationFrame` of a page do. */
function ofPage<Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) {
  return function checked(this: unknown, ...given: Arguments): Result {
    if (this !== undefined && this !== globalThis) throw new TypeError('Illegal invocation');
    return call(...given);
  };
}

/** A server with one device, whose watch stays silent. */
const served = ofPage(async (input: string | URL | Request, init?: RequestInit) => {
  const { searchParams } = new URL(String(input));
  if (searchParams.get('watch') === null) {
    const items = [{ metadata: { name: 'cam-1', namespace: 'default', uid: '1', resourceVersion: '3' } }];
    const list = {
      apiVersion: 'fleet.example/v1',
      kind: 'DeviceList',
      metadata: { resourceVersion: '5' },
      items,
    };
    return new Response(JSON.stringify(list), { headers: JSON_TYPE });
  }
  const silence = new ReadableStream({
    start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
  });
  return new Response(silence, { headers: JSON_TYPE });
}) as typeof fetch;

const devices = (fetching = served) =>
  connect({ url: 'http://127.0.0.1:1', fetch: fetching }).objects(DEVICES, { namespace: 'default' });

describe('A client in a page', () => {
  it('functions of the page are not called as methods', async () => {
    const schedule = ofPage((run: () => void) => queueMicrotask(run));
    const live = devices().live('', { schedule });
    const entered: string[] = [];
    live.on('add', ({ metadata }) => entered.push(metadata.name));
    await live.ready;
    await new Promise((done) => setTimeout(done));
    expect(entered).toEqual(['cam-1']);
    expect(live.get('cam-1')?.metadata.uid).toBe('1');
    const { snapshot } = live;
    expect(snapshot()).toHaveLength(1);
    await live.stop();
  });

  it('a schedule that fails, or never runs, keeps no news back', async () => {
    const failures: string[] = [];
    const failing = devices().live('', {
      schedule: () => {
        throw new Error('the page is gone');
      },
    });
    const entered: string[] = [];
    failing.on('error', ({ message }) => failures.push(message));
    failing.on('add', ({ metadata }) => entered.push(metadata.name));
    await failing.ready;
    await new Promise((done) => setTimeout(done));
    expect([entered, failures[0]]).toEqual([['cam-1'], 'the page is gone']);
    await failing.stop();

    const hidden = devices().live('', { schedule: () => {} });
    const told: string[] = [];
    hidden.on('add', ({ metadata }) => told.push(metadata.name));
    await hidden.ready;
    expect(told).toEqual([]);
    await hidden.stop();
    expect(told).toEqual(['cam-1']);
  });

  it('an answer that is no JSON is an error that names its type', async () => {
    const page = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const reading = devices(page as typeof fetch).get('cam-1');
    await expect(reading).rejects.toThrow(UnavailableError);
    await expect(reading).rejects.toThrow('the answer is text/html and no JSON');
  });

  it('a token that never comes ends at the deadline', async () => {
    const winnow = connect({ url: 'http://127.0.0.1:1', token: () => new Promise(() => {}), deadline: 50 });
    await expect(winnow.objects(DEVICES, { namespace: 'default' }).get('cam-1')).rejects.toThrow(
      'no answer within 50 ms',
    );
  });

  it('a token that cannot be had stops a live set', async () => {
    const winnow = connect({ url: 'http://127.0.0.1:1', token: () => Promise.reject() });
    const live = winnow.objects(DEVICES, { namespace: 'default' }).live();
    live.on('error', () => live.stop());
    await expect(live.ready).rejects.toThrow();
    expect(live.state).toBe('stopped');
  });
});

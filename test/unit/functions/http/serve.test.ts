import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEvent as ProxyEvent } from 'aws-lambda';
import { serveBuffered, serveStreamed } from '../../../../functions/http/serve.ts';
import { type Clock, systemClock } from '../../../../lib/platform/index.ts';
import type { Api, ApiRequest, ApiResponse } from '../../../../lib/server/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { contextWith, proxyEvent, REQUEST_ID } from './proxy-event.ts';

const headers = { 'content-type': 'application/json' };
const answered = { ...headers, 'audit-id': REQUEST_ID };
const LINE = '{"type":"ADDED"}\n';

interface Served {
  request?: ApiRequest;
  signal?: AbortSignal;
}

function apiThat(answer: (signal: AbortSignal) => ApiResponse['body'], served: Served = {}): Api {
  return {
    handle: async (request, signal) => {
      Object.assign(served, { request, signal });
      return { status: 200, headers, body: answer(signal) };
    },
  };
}

/** Lines until the signal aborts, as in a watch. */
async function* watch(signal: AbortSignal, line = LINE): AsyncGenerator<string> {
  yield line;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function buffered(api: Api, clock: Clock = systemClock) {
  return serveBuffered({ api, clock, methods: ['GET'] });
}

function streamed(api: Api, clock: Clock = systemClock) {
  return serveStreamed({ api, clock, methods: ['GET'] });
}

function bodyStream(body: string | Readable): Readable {
  return typeof body === 'string' ? Readable.from([body]) : body;
}

describe('A buffered answer', () => {
  it('A buffered text is returned as it is', async () => {
    const result = await buffered(apiThat(() => '{}'))(proxyEvent({}), contextWith(30_000));
    expect(result).toEqual({ statusCode: 200, headers: answered, body: '{}', isBase64Encoded: false });
  });

  it('Buffered bytes are returned as base64', async () => {
    const result = await buffered(apiThat(() => Buffer.from('é')))(proxyEvent({}), contextWith(30_000));
    expect(result).toMatchObject({ body: 'w6k=', isBase64Encoded: true });
  });

  it('A buffered answer is never requested compressed', async () => {
    const served: Served = {};
    const event = proxyEvent({ multiValueHeaders: { 'Accept-Encoding': ['gzip'] } });
    await buffered(apiThat(() => '{}', served))(event, contextWith(30_000));
    expect(served.request?.headers).toEqual({});
  });

  it('A method that the function does not serve is answered with 405', async () => {
    const result = await buffered(apiThat(() => '{}'))(
      proxyEvent({ httpMethod: 'POST' }),
      contextWith(30_000),
    );
    expect(result.statusCode).toBe(405);
    expect(JSON.parse(result.body).reason).toBe('MethodNotAllowed');
  });

  it('The handler receives the time when the login ends', async () => {
    const served: Served = {};
    const authorizer = { username: 'jane', groups: '[]', expires: '1000' };
    const requestContext = { requestId: REQUEST_ID, authorizer } as unknown as ProxyEvent['requestContext'];
    await buffered(apiThat(() => '{}', served))(proxyEvent({ requestContext }), contextWith(30_000));
    expect(served.request?.expires).toBe(1_000);
  });

  it('A buffered watch ends shortly after its first event', async () => {
    const result = await buffered(apiThat((signal) => watch(signal)))(proxyEvent({}), contextWith(30_000));
    expect(result.body).toBe(LINE);
  });

  it('A buffered watch without events ends before the function does', async () => {
    const result = await buffered(apiThat((signal) => watch(signal, '\n')))(
      proxyEvent({}),
      contextWith(2_050),
    );
    expect(result.body).toBe('\n');
  });

  it.each([
    ['0', 413],
    ['7', 200],
  ])('A buffered watch from %s that is too long is answered with %d', async (resourceVersion, code) => {
    const many = async function* () {
      for (;;) yield `${'x'.repeat(1_000_000)}\n`;
    };
    const event = proxyEvent({ multiValueQueryStringParameters: { resourceVersion: [resourceVersion] } });
    const result = await buffered(apiThat(many))(event, contextWith(30_000));
    expect(result.statusCode).toBe(code);
    expect(JSON.stringify(result).length).toBeLessThan(6_291_556);
    expect(code === 413 || result.body.endsWith('\n')).toBe(true);
  });
});

describe('A streamed answer', () => {
  it('A streamed answer is text or bytes, unchanged', async () => {
    const text = await streamed(apiThat(() => '{}'))(proxyEvent({}), contextWith(300_000));
    expect(text).toEqual({ statusCode: 200, headers: answered, body: '{}' });
    const bytes = await streamed(apiThat(() => Buffer.from([0, 255])))(proxyEvent({}), contextWith(300_000));
    expect(Buffer.concat(await bodyStream(bytes.body).toArray())).toEqual(Buffer.from([0, 255]));
  });

  it('A long text is streamed in parts that break no character', async () => {
    for (const [letters, shift] of [
      [16 * 1024 + 2, 0],
      [700_000, 0],
      [700_000, 1],
    ] as const) {
      const text = 'a'.repeat(shift) + '😀'.repeat(letters / 2);
      const { body } = await streamed(apiThat(() => text))(proxyEvent({}), contextWith(30_000));
      const parts: Buffer[] = [];
      for await (const part of body as Readable) parts.push(part);
      expect(parts.map(String).join('') === text).toBe(true);
      expect(parts).toHaveLength(Math.ceil(text.length / (256 * 1024)));
    }
  });

  it('A streamed watch sends each line at once', async () => {
    const { body } = await streamed(apiThat((signal) => watch(signal)))(proxyEvent({}), contextWith(300_000));
    const out = new PassThrough();
    const sent = pipeline(bodyStream(body), out);
    const [first] = await once(out, 'data');
    expect(String(first)).toBe(LINE);
    out.destroy();
    await expect(sent).rejects.toThrow();
  });

  it('A streamed watch ends at once if a write fails', async () => {
    const served: Served = {};
    const api = apiThat((signal) => watch(signal), served);
    const { body } = await streamed(api)(proxyEvent({}), contextWith(300_000));
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the client is gone')) });
    await expect(pipeline(bodyStream(body), gone)).rejects.toThrow('the client is gone');
    expect(served.signal?.aborted).toBe(true);
  });

  describe('A streamed watch whose client reads nothing', () => {
    const full = 'x'.repeat(100_000);

    /** A stream that accepts only what `take` lets through. */
    function stalled() {
      const waiting: (() => void)[] = [];
      const client = new Writable({ write: (_chunk, _encoding, done) => waiting.push(done) });
      return { client, waiting, take: () => waiting.shift()?.() };
    }

    async function watching(clock: OwnedClock) {
      const served: Served = {};
      const many = async function* () {
        for (;;) yield full;
      };
      const { body } = await streamed(apiThat(many, served), clock)(proxyEvent({}), contextWith(300_000));
      return { served, body: bodyStream(body) };
    }

    it('The watch ends if nothing was read for a minute', async () => {
      const clock = new OwnedClock();
      const { served, body } = await watching(clock);
      const { client, waiting } = stalled();
      const sent = pipeline(body, client);
      await eventually('the stream is full', () => waiting.length > 0 && body.readableLength > 0);
      clock.advance(59_000);
      expect(served.signal?.aborted).toBe(false);
      clock.advance(1_000);
      await expect(sent).rejects.toThrow('the client has read nothing for 60 s');
      expect(served.signal?.aborted).toBe(true);
      expect(clock.sleepers).toBe(1);
    });

    it('The watch continues while the client reads now and then', async () => {
      const clock = new OwnedClock();
      const { served, body } = await watching(clock);
      const { client, waiting, take } = stalled();
      const sent = pipeline(body, client);
      for (let taken = 0; taken < 4; taken += 1) {
        await eventually('the stream is full', () => waiting.length > 0 && clock.sleepers === 2);
        clock.advance(50_000);
        take();
        await eventually('more is sent', () => waiting.length > 0 && body.readableLength > 0);
      }
      expect(served.signal?.aborted).toBe(false);
      client.destroy();
      await expect(sent).rejects.toThrow();
    });
  });

  it('The watch ends cleanly before the function does', async () => {
    const { body } = await streamed(apiThat((signal) => watch(signal)))(proxyEvent({}), contextWith(2_050));
    expect(Buffer.concat(await bodyStream(body).map(Buffer.from).toArray()).toString()).toBe(LINE);
  });

  it('The watch produces events no faster than the client reads them', async () => {
    let made = 0;
    const endless = async function* () {
      for (;;) {
        made += 1;
        yield 'x'.repeat(10_000);
      }
    };
    const { body } = await streamed(apiThat(endless))(proxyEvent({}), contextWith(300_000));
    const stream = bodyStream(body);
    stream.read(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(20);
    stream.destroy();
  });
});

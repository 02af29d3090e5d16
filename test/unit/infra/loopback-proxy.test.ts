import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import type { LoopbackServer } from '../../../infra/loopback-guard/index.ts';
import { openProxy } from '../../../infra/loopback-proxy/index.ts';
import { sendRaw } from '../../support/raw-request.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A proxy of an API server below the stage `/v1`, with the login `Bearer own`. */
async function start(api: RequestListener): Promise<LoopbackServer & { readonly server: http.Server }> {
  const server = http.createServer(api).listen(0, '127.0.0.1');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await openProxy({
    port: 0,
    upstream: {
      url: `http://127.0.0.1:${port}/v1`,
      credentials: async () => ({ headers: { Authorization: 'Bearer own' } }),
      explain: (error) => `it failed: ${(error as NodeJS.ErrnoException).code}`,
    },
  });
  closing.push(proxy.stop);
  return { ...proxy, server };
}

describe('The proxy on loopback', () => {
  it('passes a request on with the login, below the path of the server, and its answer back', async () => {
    const seen: unknown[] = [];
    const { url } = await start(async (request, response) => {
      const { method, url: path, headers } = request;
      seen.push({ method, path, headers, body: await readText(request) });
      response.writeHead(201, { 'content-type': 'application/json', 'audit-id': 'x' }).end('{"a":1}');
    });
    const headers = {
      'content-type': 'application/json',
      cookie: 'secret=1',
      'sec-fetch-site': 'same-origin',
      referer: `${url}/page`,
    };
    const answer = await sendRaw(url, '/api/v1/pods?limit=1', { method: 'POST', headers, body: '{"b":2}' });
    expect(answer).toMatchObject({ status: 201, text: '{"a":1}', headers: { 'audit-id': 'x' } });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: '/v1/api/v1/pods?limit=1',
        body: '{"b":2}',
        headers: { authorization: 'Bearer own', 'content-type': 'application/json' },
      },
    ]);
    const [{ headers: passed }] = seen as [{ headers: object }];
    expect(Object.keys(passed).filter((name) => /^(cookie|sec-|referer|origin)/.test(name))).toEqual([]);
  });

  it.each(['GET', 'DELETE', 'POST'])('passes the body of a %s on whose length is unknown', async (method) => {
    const { url } = await start(async (request, response) => {
      response.end(`${request.method} ${await readText(request)}`);
    });
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
    const sent = { method, headers, body: 'GET /api/v1/secrets HTTP/1.1\r\nhost: a\r\n\r\n' };
    for (let request = 1; request <= 2; request += 1) {
      const { status, text } = await sendRaw(url, '/api/v1/pods/a', sent);
      expect([status, text]).toEqual([200, `${method} ${sent.body}`]);
    }
  });

  it('keeps the login that a request has itself', async () => {
    const { url } = await start(({ headers }, response) => response.end(headers.authorization));
    expect((await sendRaw(url, '/version', { headers: { authorization: 'Bearer other' } })).text).toBe(
      'Bearer other',
    );
  });

  it('passes each event of a watch on as it comes, and ends the watch when the client leaves', async () => {
    const left = Promise.withResolvers<void>();
    const { url } = await start((_, response) => {
      response.flushHeaders();
      response.write('one\n');
      response.once('close', left.resolve);
    });
    const request = http.get(`${url}/api/v1/pods?watch=1`);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const [chunk] = await once(answer, 'data');
    expect(String(chunk)).toBe('one\n');
    request.destroy();
    await left.promise;
  });

  it('serves watches over websockets', async () => {
    const { url } = await start(({ headers }, response) =>
      response.end(`{"as":"${headers.authorization}"}\n`),
    );
    const websocket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/pods?watch=1`);
    const [message] = await once(websocket, 'message');
    expect(String(message)).toBe('{"as":"Bearer own"}');
    await once(websocket, 'close');
  });

  it('answers 503 with the reason if the server does not answer', async () => {
    const { url, server } = await start(() => {});
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    const { status, text } = await sendRaw(url, '/api/v1/pods');
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { kind: 'Status', reason: 'ServiceUnavailable', message: 'it failed: ECONNREFUSED' },
    ]);
  });
});

describe('The proxy on loopback refuses', () => {
  const TOKEN = '/api/v1/namespaces/a/serviceaccounts/b/token';
  it.each<[string, string, Record<string, string>, number]>([
    ['another host name', '/api/v1/pods', { host: 'evil.example' }, 421],
    ['a page of another origin', '/api/v1/pods', { origin: 'http://evil.example' }, 403],
    ['a page of another port', '/api/v1/pods', { 'sec-fetch-site': 'same-site' }, 403],
    ['an impersonation', '/api/v1/pods', { 'impersonate-user': 'root' }, 403],
    ['an impersonation of extra fields', '/api/v1/pods', { 'Impersonate-Extra-a': 'b' }, 403],
    ['a token', TOKEN, {}, 403],
    ['a token with a slash at the end', `${TOKEN}/`, {}, 403],
    ['a token whose path is encoded', TOKEN.replace('token', '%74oken'), {}, 403],
    ['a token whose path has dot segments', TOKEN.replace('token', 'x/%2e%2e/token'), {}, 403],
    ['a token whose path has encoded slashes', TOKEN.replace('b/token', 'b%2Ftoken'), {}, 403],
  ])('%s', async (_, path, headers, status) => {
    let reached = false;
    const { url } = await start((_request, response) => {
      reached = true;
      response.end();
    });
    const answer = await sendRaw(url, path, { method: 'POST', headers });
    expect([answer.status, reached]).toEqual([status, false]);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', code: status });
    const websocket = new WebSocket(`${url.replace('http', 'ws')}${path}?watch=1`, { headers });
    websocket.on('error', () => {});
    const [, response] = await once(websocket, 'unexpected-response');
    expect([response.statusCode, reached]).toEqual([status, false]);
  });
});

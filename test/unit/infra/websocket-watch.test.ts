import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { type PlainRequest, upgradeWatch } from '../../../infra/websocket-watch/index.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(listener: RequestListener): Promise<{ server: http.Server; port: number }> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** A server of the API, and a proxy in front of it that takes websockets. */
async function startProxy(api: RequestListener): Promise<{ url: string; api: http.Server }> {
  const behind = await listen(api);
  const send = async ({ target: path, ...plain }: PlainRequest) => {
    const sent = http.request({ host: '127.0.0.1', port: behind.port, path, ...plain }).end();
    const [answer] = await once(sent, 'response');
    sent.on('error', () => {});
    return answer as IncomingMessage;
  };
  const { server, port } = await listen((_, response) => response.end());
  server.on('upgrade', (request, socket, head) => void upgradeWatch(request, socket, head, { send }));
  return { url: `ws://127.0.0.1:${port}`, api: behind.server };
}

/** What a client saw: the protocol, each frame, and the code of the end; or the status of a refusal. */
async function watched(url: string, protocols: string[] = []): Promise<unknown[]> {
  const websocket = new WebSocket(url, protocols);
  const seen: unknown[] = [];
  websocket.on('open', () => seen.push(websocket.protocol));
  websocket.on('message', (data, isBinary) => seen.push(isBinary ? 'binary' : String(data)));
  websocket.on('error', () => {});
  return new Promise((resolve) => {
    websocket.on('close', (code) => resolve([...seen, code]));
    websocket.on('unexpected-response', async (_, response) => {
      response.resume();
      await once(response, 'end');
      resolve([response.statusCode, response.headers['content-type']]);
    });
  });
}

describe('A watch over a websocket', () => {
  it('sends each event as a text frame, and closes when the watch ends', async () => {
    const { url } = await startProxy((_, response) =>
      response.end('{"type":"ADDED"}\n\n{"type":"DELETED"}\n'),
    );
    expect(await watched(`${url}/api/v1/pods?watch=true`, ['base64.binary.k8s.io'])).toEqual([
      'base64.binary.k8s.io',
      '{"type":"ADDED"}',
      '{"type":"DELETED"}',
      1000,
    ]);
  });

  it('takes the token of a browser from the protocols, and asks for no websocket itself', async () => {
    const asked: IncomingHttpHeaders[] = [];
    const { url } = await startProxy(({ headers }, response) => {
      asked.push(headers);
      response.end();
    });
    const token = Buffer.from('a.token').toString('base64url');
    const bearer = `base64url.bearer.authorization.k8s.io.${token}`;
    expect(await watched(`${url}/api/v1/pods?watch=1`, [bearer, 'v4.channel.k8s.io'])).toEqual([
      'v4.channel.k8s.io',
      1000,
    ]);
    expect(asked[0]).toMatchObject({ authorization: 'Bearer a.token' });
    expect(Object.keys(asked[0] ?? {}).filter((name) => /^(upgrade|sec-websocket)/.test(name))).toEqual([]);
  });

  it.each([
    ['an error', '?watch=true', 403],
    ['no watch', '', 200],
  ])('is refused with the answer of the API where that is %s', async (_, query, status) => {
    const { url } = await startProxy((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    expect(await watched(`${url}/api/v1/pods${query}`)).toEqual([status, 'application/json']);
  });

  it('ends the watch when the client leaves', async () => {
    const ended = Promise.withResolvers<void>();
    const { url } = await startProxy((_, response) => {
      response.write('{"type":"ADDED"}\n');
      response.on('close', () => ended.resolve());
    });
    const websocket = new WebSocket(`${url}/api/v1/pods?watch=true`);
    await once(websocket, 'message');
    websocket.terminate();
    await ended.promise;
  });

  it('is closed when its client sends a large frame', async () => {
    const { url } = await startProxy((_, response) => response.write('{"type":"ADDED"}\n'));
    const websocket = new WebSocket(`${url}/api/v1/pods?watch=true`);
    websocket.on('message', () => websocket.send('a'.repeat(2000)));
    const [code] = await once(websocket, 'close');
    expect(code).toBe(1009);
  });

  it('is refused while its client leaves, and the answer of the API ends', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const { url } = await startProxy((_, response) => {
      response.write('a part of a list');
      response.on('close', () => ended.resolve());
      begun.resolve();
    });
    const websocket = new WebSocket(`${url}/api/v1/pods`);
    websocket.on('unexpected-response', (request) => request.destroy());
    websocket.on('error', () => {});
    await begun.promise;
    await ended.promise;
  });

  it('is closed when the server of the API dies', async () => {
    const { url, api } = await startProxy((_, response) => response.write('{"type":"ADDED"}\n'));
    const websocket = new WebSocket(`${url}/api/v1/pods?watch=true`);
    websocket.on('message', () => api.closeAllConnections());
    const [code] = await once(websocket, 'close');
    expect(code).toBe(1006);
  });
});

describe('A request for SPDY', () => {
  it('is refused with the answer to its POST, so that clients show what the API says', async () => {
    const asked: unknown[] = [];
    const { url } = await startProxy(({ method, url: target, headers }, response) => {
      asked.push([method, target, headers.upgrade]);
      response.writeHead(403).end('not allowed');
    });
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    const target = `${url.replace('ws:', 'http:')}/api/v1/namespaces/a/pods/b/attach?stdin=true`;
    const sent = http.request(target, { method: 'POST', headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([403, 'not allowed']);
    expect(asked).toEqual([['POST', '/api/v1/namespaces/a/pods/b/attach?stdin=true', undefined]]);
  });

  it('stays a GET for other methods and upgrades', async () => {
    const asked: unknown[] = [];
    const { url } = await startProxy(({ method }, response) => {
      asked.push(method);
      response.writeHead(400).end();
    });
    for (const [method, upgrade] of [
      ['DELETE', 'SPDY/3.1'],
      ['POST', 'h2c'],
    ]) {
      const sent = http.request(url.replace('ws:', 'http:'), {
        method,
        headers: { connection: 'Upgrade', upgrade },
      });
      const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
      answer.resume();
    }
    expect(asked).toEqual(['GET', 'GET']);
  });
});

import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forward } from '../../../examples/typescript/forward.ts';
import { TokenUsers } from '../../../infra/local/index.ts';
import { connect, type Kind, resource } from '../../../lib/client/objects/index.ts';
import { type Listening, listen } from '../../support/listen.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { startTamperingProxy, type TamperingProxy } from '../../support/service/tampering-proxy.ts';

const MAPS = resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps');

let service: Service;
let proxy: TamperingProxy;
let page: Listening;
/** The tokens that the server of the page gets, next first; the last one stays. */
let tokens: string[];

beforeAll(async () => {
  const users = new TokenUsers();
  users.add('secret', { username: 'page', groups: ['system:masters'] });
  service = await startService({ users });
  proxy = await startTamperingProxy(service.winnow.url);
  tokens = ['secret'];
  const token = () => (tokens.length > 1 ? tokens.shift() : tokens[0]);
  const hosts: string[] = [];
  const pass = forward({ url: `${proxy.url}/`, hosts, token });
  page = await listen(
    createServer(async (asked, answer) => {
      if (!(await pass(asked, answer))) answer.end('the page');
    }),
  );
  hosts.push(new URL(page.url).host);
});

afterAll(async () => {
  await page?.stop();
  await proxy?.stop();
  await service?.stop();
});

/** Sends a request with any headers, which `fetch` would not. Resolves to its status and its text. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<[number | undefined, string]>((resolve, reject) => {
    const { hostname, port } = new URL(page.url);
    request({ hostname, port, path, headers }, async (answer) =>
      resolve([answer.statusCode, await text(answer)]),
    )
      .on('error', reject)
      .end();
  });

describe('The example forward.ts', () => {
  it("The server passes a page's requests on with its own token, and serves the page itself", async () => {
    const maps = connect({ url: page.url }).objects(MAPS, { namespace: 'default' });
    await maps.create({ metadata: { name: 'a', labels: { app: 'x' } }, data: { a: 'b' } });
    const live = maps.live('app=x');
    const left = new Promise<string>((resolve) =>
      live.on('delete', ({ metadata }) => resolve(metadata.name)),
    );
    await live.ready;
    await maps.patch('a', { data: { a: null } });
    await maps.delete('a');
    expect(await left).toBe('a');
    await live.stop();
    expect(await ask('/')).toEqual([200, 'the page']);
    expect((await ask('/api/v1/configmaps', { authorization: 'Bearer other' }))[0]).toBe(200);
  });

  it('The server passes no body on that is larger than Winnow takes', async () => {
    const body = 'x'.repeat(4_000_000);
    const { status } = await fetch(`${page.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      body,
    });
    expect(status).toBe(413);
    expect((await fetch(`${page.url}/version`, { method: 'HEAD' })).status).not.toBe(502);
  });

  it('The server asks once for another token after a 401', async () => {
    tokens = ['old', 'secret'];
    expect((await ask('/api/v1/configmaps'))[0]).toBe(200);
    tokens = ['old'];
    expect((await ask('/api/v1/configmaps'))[0]).toBe(401);
    tokens = ['secret'];
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['no origin', { origin: 'null' }],
    ['a name that leads here', { host: 'evil.example' }],
  ])('The server refuses a request of a page of %s', async (_, headers: Record<string, string>) => {
    const before = proxy.requests.length;
    expect((await ask('/api/v1/configmaps', headers))[0]).toBe(403);
    expect(proxy.requests.length).toBe(before);
  });

  it('A page cannot ask as another user, and cannot leave the API', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const winnow = connect({
      url: page.url,
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init?.headers, 'impersonate-user': 'jane' } }),
    });
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const review = await winnow.request(path, { method: 'POST', body });
    expect(review).toMatchObject({ status: { userInfo: { username: 'page' } } });
    const before = proxy.requests.length;
    for (const left of ['/api/../healthz', '/api/%2e%2e/healthz', '/apix', '//evil.example/', '/healthz']) {
      expect(await ask(left)).toEqual([200, 'the page']);
    }
    expect(proxy.requests.length).toBe(before);
  });

  it('An answer that is lost is a 502, and a cut answer stays cut', async () => {
    proxy.tamper = () => 'lost';
    expect((await ask('/version'))[0]).toBe(502);
    proxy.tamper = () => 'cut';
    await expect(ask('/version')).rejects.toThrow();
    proxy.tamper = () => undefined;
  });

  it('The request to Winnow ends as the page leaves', async () => {
    const asking = Promise.withResolvers<ServerResponse>();
    const winnow = await listen(createServer((_, answer) => asking.resolve(answer.writeHead(200))));
    const pass = forward({ url: winnow.url, hosts: ['page'] });
    const server = await listen(createServer(pass));
    const leaving = request(`${server.url}/api/v1/pods?watch=true`, { headers: { host: 'page' } });
    leaving.on('error', () => {}).end();
    const closed = once(await asking.promise, 'close');
    leaving.destroy();
    await closed;
    await server.stop();
    await winnow.stop();
  });
});

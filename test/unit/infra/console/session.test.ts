import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  begin,
  codeOf,
  JSON_TYPE,
  openTestConsole,
  serveApi,
  type TestConsole,
} from '../../../support/console/open-console.ts';
import type { Listening } from '../../../support/listen.ts';
import { sendRaw } from '../../../support/raw-request.ts';

const REVIEW = { status: { userInfo: { username: 'jane' } } };
const PODS = '/api/v1/pods';

let api: Listening;
let console: TestConsole;
const seen: { path: string; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  api = await serveApi((request, response) => {
    const { url: path = '', headers } = request;
    seen.push({ path, headers });
    response.setHeader('content-type', 'application/json');
    if (path.endsWith('/selfsubjectreviews')) return void response.end(JSON.stringify(REVIEW));
    response.setHeader('set-cookie', 'a=b');
    response.flushHeaders();
    if (!path.includes('watch')) response.end('{}');
  });
  console = await openTestConsole(api.url);
});

afterAll(async () => {
  await console.stop();
  await api.stop();
});

const withToken = (token: string) => ({ headers: { 'winnow-session': token } });
const statusOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  (await sendRaw(console.url, path, { method, headers })).status;

describe('A session of the console', () => {
  it('A session begins with the code of a link, and describes the connection', async () => {
    const { status, text } = await begin(console.url, codeOf(console.newLink()));
    const { token, ...told } = JSON.parse(text);
    const connection = {
      context: 'test',
      server: api.url,
      user: 'jane',
      readOnly: false,
      secrets: false,
      loopback: true,
    };
    expect([status, told]).toEqual([200, connection]);
    expect(Buffer.from(token, 'base64url').length).toBe(16);
    const { status: again, text: described } = await sendRaw(console.url, '/session', withToken(token));
    expect([again, JSON.parse(described)]).toEqual([200, connection]);
    expect((await sendRaw(console.url, PODS, withToken(token))).status).toBe(200);
  });

  it('A link has a code of 128 bits in its fragment, which no request contains', () => {
    const link = new URL(console.newLink());
    expect([link.origin, link.pathname, link.search]).toEqual([console.url, '/', '']);
    expect(Buffer.from(codeOf(link.href), 'base64url').length).toBe(16);
  });

  it('A code that is used a second time ends its session, and its open watches, for both users', async () => {
    const code = codeOf(console.newLink());
    const { token } = JSON.parse((await begin(console.url, code)).text);
    const watch = await console.open(`${PODS}?watch=1`, withToken(token));
    expect(watch.statusCode).toBe(200);
    const ended = once(watch, 'error');
    const before = console.reused();
    const second = await begin(console.url, code);
    expect([second.status, JSON.parse(second.text).message]).toEqual([
      401,
      expect.stringContaining('was used already, so Winnow ended the session'),
    ]);
    await ended;
    for (const path of ['/session', PODS]) {
      expect((await sendRaw(console.url, path, withToken(token))).status).toBe(401);
    }
    expect((await begin(console.url, code)).status).toBe(401);
    expect(console.reused()).toBe(before + 1);
    expect((await console.send(PODS)).status).toBe(200);
  });

  it('A new link replaces a link that no page has used, and leaves open sessions alone', async () => {
    const [first, second] = [codeOf(console.newLink()), codeOf(console.newLink())];
    expect((await begin(console.url, first)).status).toBe(401);
    expect((await begin(console.url, second)).status).toBe(200);
    expect((await console.send(PODS)).status).toBe(200);
  });

  it.each([
    ['another code', '{"code":"AAAAAAAAAAAAAAAAAAAAAA"}'],
    ['an empty code', '{"code":""}'],
    ['a number', '{"code":1}'],
    ['no code', '{}'],
    ['a null', 'null'],
    ['no JSON', 'code=x'],
    ['a long text', JSON.stringify({ code: 'x'.repeat(2_000) })],
  ])('No session begins with %s', async (_, body) => {
    console.newLink();
    const { status } = await sendRaw(console.url, '/session', { method: 'POST', headers: JSON_TYPE, body });
    expect(status).toBe(401);
  });

  it.each(['', 'AAAAAAAAAAAAAAAAAAAAAA', 'x'])('The token %j opens nothing', async (token) => {
    const before = seen.length;
    const { status, text } = await sendRaw(console.url, PODS, withToken(token));
    expect([status, JSON.parse(text)]).toMatchObject([
      401,
      {
        kind: 'Status',
        reason: 'Unauthorized',
        message: expect.stringContaining('open the link that winnow console printed'),
      },
    ]);
    expect((await sendRaw(console.url, '/session', withToken(token))).status).toBe(401);
    expect(seen.length).toBe(before);
  });

  it('A code is no token, and a token is no code', async () => {
    const code = codeOf(console.newLink());
    expect((await sendRaw(console.url, PODS, withToken(code))).status).toBe(401);
    expect((await begin(console.url, String(console.session['winnow-session']))).status).toBe(401);
  });

  it('The session has no other methods', async () => {
    expect(await statusOf('/session', {}, 'DELETE')).toBe(405);
  });

  it('A session begins although Winnow does not say who the user is', async () => {
    const gone = await serveApi(() => {});
    await gone.stop();
    const alone = await openTestConsole(gone.url);
    const { status, text } = await alone.send('/session');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { context: 'test', server: gone.url, readOnly: false, secrets: false, loopback: true },
    ]);
    await alone.stop();
  });
});

describe('The guard of the console', () => {
  it.each<[what: string, headers: Record<string, string>, status: number]>([
    ['another host', { host: 'evil.example' }, 421],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page in a frame without origin', { origin: 'null' }, 403],
  ])('A request of %s is refused, with a valid token too', async (_, headers, status) => {
    const before = seen.length;
    for (const path of [PODS, '/session']) {
      expect((await console.send(path, { headers })).status).toBe(status);
    }
    const code = codeOf(console.newLink());
    const post = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ code }) };
    expect((await sendRaw(console.url, '/session', post)).status).toBe(status);
    expect(seen.length).toBe(before);
    expect((await begin(console.url, code)).status).toBe(200);
  });

  it('A request of the own page passes', async () => {
    const headers = { origin: console.url, host: new URL(console.url).host, 'sec-fetch-site': 'same-origin' };
    expect((await console.send(PODS, { headers })).status).toBe(200);
  });

  it('Winnow receives the login of the console, and neither the token nor headers of the page', async () => {
    const headers = {
      authorization: 'Bearer other',
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      referer: console.url,
      'user-agent': 'Mozilla/5.0',
      accept: 'application/json',
    };
    const answer = await console.send(PODS, { headers });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const passed = seen.at(-1)?.headers ?? {};
    expect(passed).toMatchObject({
      authorization: 'Bearer own',
      'user-agent': 'winnow-console',
      accept: 'application/json',
    });
    const names = Object.keys(passed).sort();
    expect(names).toEqual(['accept', 'authorization', 'connection', 'host', 'user-agent']);
    expect(JSON.stringify(seen)).not.toContain(String(console.session['winnow-session']));
  });
});

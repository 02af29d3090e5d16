import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import {
  JSON_TYPE,
  openTestConsole,
  serveApi,
  type TestConsole,
} from '../../../support/console/open-console.ts';
import type { Listening } from '../../../support/listen.ts';

const PODS = '/api/v1/namespaces/default/pods';

interface Seen {
  readonly call: string;
  readonly body: string;
  readonly groups: readonly string[] | undefined;
  readonly user: string | undefined;
}

let api: Listening;
let console: TestConsole;
let readOnly: TestConsole;
const seen: Seen[] = [];
/** The watches that Winnow serves now. */
const watches = new Set<IncomingMessage>();

beforeAll(async () => {
  api = await serveApi(async (request, response) => {
    const { method, url, headersDistinct } = request;
    seen.push({
      call: `${method} ${url}`,
      body: await readText(request),
      groups: headersDistinct['impersonate-group'],
      user: headersDistinct['impersonate-user']?.join(),
    });
    response.setHeader('content-type', 'application/json');
    if (!url?.includes('watch=')) return void response.end('{"kind":"Anything"}');
    watches.add(request);
    response.once('close', () => watches.delete(request));
    response.write('{"type":"ADDED"}\n');
  });
  console = await openTestConsole(api.url);
  readOnly = await openTestConsole(api.url, { readOnly: true });
});

beforeEach(() => {
  seen.length = 0;
});

afterAll(async () => {
  await console.stop();
  await readOnly.stop();
  await api.stop();
});

const calls = () => seen.map(({ call }) => call);

describe('The console passes on', () => {
  it.each<[path: string, passed: string]>([
    ['/api', '/api'],
    ['/apis/apps/v1/deployments', '/apis/apps/v1/deployments'],
    ['/openapi/v3', '/openapi/v3'],
    ['/openapi/v3/apis/apps/v1?hash=1', '/openapi/v3/apis/apps/v1?hash=1'],
    ['/version', '/version'],
    ['/api/v1/pods/', '/api/v1/pods'],
    ['/%61pi/v1/p%6Fds', '/api/v1/pods'],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    ],
    ['/api/v1/pods?labelSelector=a%20in%20(b,c)', '/api/v1/pods?labelSelector=a+in+%28b%2Cc%29'],
  ])('the path %s as %s', async (path, passed) => {
    expect((await console.send(path)).status).toBe(200);
    expect(calls()).toEqual([`GET ${passed}`]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s with its body', async (method) => {
    const headers = { ...JSON_TYPE, 'content-length': 7 };
    const answer = await console.send(PODS, { method, headers, body: '{"a":1}' });
    expect([answer.status, answer.text]).toEqual([200, '{"kind":"Anything"}']);
    expect(seen).toMatchObject([{ call: `${method} ${PODS}`, body: '{"a":1}' }]);
  });

  it('each event of a watch as it comes, until the page leaves', async () => {
    const answer = await console.open(`${PODS}?watch=1`);
    const [chunk] = await once(answer, 'data');
    expect(String(chunk)).toBe('{"type":"ADDED"}\n');
    const [watch] = watches;
    const left = once(watch?.socket ?? answer, 'close');
    answer.destroy();
    await left;
  });

  it('the headers of the view "see as" on a GET, with one value for each group', async () => {
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'a, b' };
    expect((await console.send(PODS, { headers })).status).toBe(200);
    const twice = { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'] };
    expect((await readOnly.send(PODS, { headers: twice })).status).toBe(200);
    expect(seen).toMatchObject([
      { user: 'jane', groups: ['a', 'b'] },
      { user: 'jane', groups: ['a', 'b'] },
    ]);
  });
});

describe('The console refuses', () => {
  const TOKEN = '/api/v1/namespaces/a/serviceaccounts/b/token';
  it.each<[string, string, string, Record<string, string>, number]>([
    ['a token', 'POST', TOKEN, {}, 403],
    ['a token with a slash at the end', 'POST', `${TOKEN}/`, {}, 403],
    ['a token whose path is encoded', 'POST', TOKEN.replace('token', '%74oken'), {}, 403],
    ['a token in other letters', 'POST', TOKEN.replace('token', 'Token'), {}, 403],
    ['an impersonation in a POST', 'POST', PODS, { 'impersonate-user': 'jane' }, 403],
    ['an impersonation in a PATCH', 'PATCH', PODS, { 'Impersonate-Group': 'a' }, 403],
    ['an impersonation in a DELETE', 'DELETE', PODS, { 'impersonate-user': 'jane' }, 403],
    ['an impersonation of a uid', 'GET', PODS, { 'impersonate-uid': '1' }, 403],
    ['an impersonation of extra fields', 'GET', PODS, { 'Impersonate-Extra-a': 'b' }, 403],
    ['an OPTIONS', 'OPTIONS', PODS, {}, 405],
    ['a HEAD', 'HEAD', PODS, {}, 405],
    ['a TRACE', 'TRACE', PODS, {}, 405],
    ['a PROPFIND', 'PROPFIND', PODS, {}, 405],
  ])('%s', async (_, method, path, headers, status) => {
    expect((await console.send(path, { method, headers })).status).toBe(status);
    expect(seen).toEqual([]);
  });

  it.each([
    '/api/v1//pods',
    '//api/v1/pods',
    '/api/v1/./pods',
    '/api/v1/x/../pods',
    '/api/v1/%2e%2e/pods',
    '/api/v1/.%2E/pods',
    '/api%2Fv1/pods',
    '/api/v1%5Cpods',
    '/api\\v1/pods',
    '/api/v1/%2573ecrets',
    '/api/v1/po%00ds',
    '/api/v1/pods%0a',
    '/api/v1/%zz',
    '/api/v1/%ff',
    '/pods/../api/v1/secrets',
    '*',
    'http://127.0.0.1/api/v1/pods',
  ])('the ambiguous path %s', async (path) => {
    const { status, text } = await console.send(path);
    expect([status, JSON.parse(text)]).toMatchObject([400, { kind: 'Status', reason: 'BadRequest' }]);
    expect(seen).toEqual([]);
  });

  it('a whole URL of another host', async () => {
    expect((await console.send('http://evil.example/api/v1/pods')).status).toBe(421);
  });

  it('websockets', async () => {
    const headers = console.session as Record<string, string>;
    const websocket = new WebSocket(`${console.url.replace('http', 'ws')}${PODS}?watch=1`, { headers });
    websocket.on('error', () => {});
    const [, response] = await once(websocket, 'unexpected-response');
    expect([response.statusCode, seen]).toEqual([403, []]);
  });
});

describe('A read-only console', () => {
  it.each([
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    '/apis/winnow.dev/v1/placementreviews',
    '/apis/winnow.dev/v1/reachabilityreviews',
    '/apis/winnow.dev/v1/selectionreviews',
  ])('A read-only console passes on the review %s, which is not stored', async (path) => {
    expect((await readOnly.send(path, { method: 'POST', headers: JSON_TYPE, body: '{}' })).status).toBe(200);
    expect(calls()).toEqual([`POST ${path}`]);
    seen.length = 0;
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await readOnly.send(path, { method })).status).toBe(403);
    }
    expect((await readOnly.send(`${path}/x`, { method: 'POST' })).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it('A read-only console passes on every GET', async () => {
    expect((await readOnly.send(`${PODS}/a/history`)).status).toBe(200);
  });

  it.each([
    ['POST', PODS],
    ['PUT', `${PODS}/a`],
    ['PATCH', `${PODS}/a`],
    ['DELETE', `${PODS}/a`],
    ['DELETE', PODS],
    ['POST', `${PODS}?dryRun=All`],
    ['POST', `${PODS}/a/eviction`],
    ['POST', `${PODS}/a/binding`],
    ['PUT', '/apis/apps/v1/namespaces/default/deployments/a/scale'],
    ['POST', '/apis/authentication.k8s.io/v1/tokenreviews'],
    ['POST', '/apis/x.example/v1/selectionreviews'],
    ['POST', '/apis/winnow.dev/v1/namespaces/default/subscriptions'],
  ])('A read-only console refuses %s %s', async (method, path) => {
    const { status, text } = await readOnly.send(path, { method, headers: JSON_TYPE, body: '{}' });
    expect([status, JSON.parse(text).message]).toEqual([
      403,
      `the console is read-only: start it without --read-only to send ${method} requests`,
    ]);
    expect(seen).toEqual([]);
  });
});

describe('The connection of the console to Winnow', () => {
  it('The console answers 503 with the reason if Winnow does not answer, and works again when Winnow does', async () => {
    const gone = await serveApi((_, response) => response.end('{}'));
    const before = await openTestConsole(gone.url);
    expect((await before.send(PODS)).status).toBe(200);
    await gone.stop();
    const { status, text } = await before.send(PODS);
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      { kind: 'Status', reason: 'ServiceUnavailable', message: 'it failed: ECONNREFUSED' },
    ]);
    await before.stop();
  });

  it('A watch breaks off if Winnow ends it without an end', async () => {
    const failing = await serveApi((_, response) => {
      response.write('{"type":"ADDED"}\n', () => response.destroy());
    });
    const broken = await openTestConsole(failing.url);
    const answer = await broken.open(`${PODS}?watch=1`);
    await expect(readText(answer)).rejects.toThrow('aborted');
    await broken.stop();
    await failing.stop();
  });

  it('The end of the console closes all watches', async () => {
    const other = await openTestConsole(api.url);
    const answer = await other.open(`${PODS}?watch=1`);
    await once(answer, 'data');
    const [watch] = watches;
    const left = once(watch?.socket ?? answer, 'close');
    const broken = once(answer, 'error');
    await other.stop();
    await Promise.all([left, broken]);
  });
});

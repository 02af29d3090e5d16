import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { openTestConsole, serveApi, type TestConsole } from '../../../support/console/open-console.ts';
import type { Listening } from '../../../support/listen.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const DATA = 'c2VjcmV0LXZhbHVl';
const PLAIN = 'secret-value';
const SECRETS = '/api/v1/namespaces/default/secrets';
const SECRET = `${SECRETS}/pass`;
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const HISTORIES = '/apis/winnow.dev/v1/histories';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const MERGE = 'application/merge-patch+json';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

let memory: MemoryApi;
let api: Listening;
let hiding: TestConsole;
let showing: TestConsole;

beforeAll(async () => {
  memory = await createMemoryApi();
  await memory.ask('POST', SECRETS, {
    metadata: {
      name: 'pass',
      labels: { app: 'web' },
      annotations: { [LAST_APPLIED]: `{"data":{"password":"${DATA}"}}`, note: 'kept' },
    },
    data: { password: DATA },
  });
  await memory.ask('POST', TALLIES, {
    apiVersion: 'winnow.dev/v1',
    kind: 'Tally',
    metadata: { name: 'passwords' },
    spec: { resource: { group: '', resource: 'secrets' }, labelSelector: 'app' },
  });
  api = await serveApi(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await readText(request);
    const answer = await memory.send(
      method,
      url,
      body === '' ? undefined : (JSON.parse(body) as JsonObject),
      headers['content-type'],
      headers.accept,
    );
    response.writeHead(answer.status, { 'content-type': answer.headers['content-type'] });
    response.end(JSON.stringify(answer.body));
  });
  hiding = await openTestConsole(api.url);
  showing = await openTestConsole(api.url, { secrets: true });
});

afterAll(async () => {
  await hiding.stop();
  await showing.stop();
  await api.stop();
});

const leaks = (text: string) => text.includes(DATA) || text.includes(PLAIN);

describe('A console without --secrets shows only the metadata of Secrets', () => {
  it.each<[what: string, path: string, accept: string | undefined, kind: string]>([
    ['one Secret', SECRET, undefined, 'PartialObjectMetadata'],
    ['one Secret in JSON', SECRET, 'application/json', 'PartialObjectMetadata'],
    ['one Secret in YAML', SECRET, 'application/yaml', 'PartialObjectMetadata'],
    ['one Secret in protobuf', SECRET, 'application/vnd.kubernetes.protobuf', 'PartialObjectMetadata'],
    ['one Secret as a Table', SECRET, TABLE, 'Table'],
    ['one Secret, or a Table', SECRET, `application/json, ${TABLE}`, 'Table'],
    ['a list', SECRETS, 'application/json', 'PartialObjectMetadataList'],
    ['a list of all namespaces', '/api/v1/secrets', undefined, 'PartialObjectMetadataList'],
    ['a list by labels', `${SECRETS}?labelSelector=app%3Dweb`, undefined, 'PartialObjectMetadataList'],
    ['a sorted list', `${SECRETS}?sortBy=app`, undefined, 'PartialObjectMetadataList'],
    ['a list as a Table', SECRETS, TABLE, 'Table'],
    ['a Table with metadata', `${SECRETS}?includeObject=Metadata`, TABLE, 'Table'],
    ['the encoded path', '/api/v1/namespaces/default/%73ecrets', undefined, 'PartialObjectMetadataList'],
    ['the path with a slash at its end', `${SECRETS}/`, undefined, 'PartialObjectMetadataList'],
    ['facets', `${SECRETS}?facets=app`, undefined, 'Facets'],
    ['facets of all keys', `${SECRETS}?facets=*`, TABLE, 'Facets'],
    ['members of a Tally', `${TALLIES}/passwords/selected`, undefined, 'PartialObjectMetadataList'],
    ['members of a Tally as a Table', `${TALLIES}/passwords/selected`, TABLE, 'Table'],
    ['a plan', `${SECRETS}?explain=true`, TABLE, 'Table'],
  ])('in the answer to %s', async (_, path, accept, kind) => {
    const headers = accept === undefined ? {} : { accept };
    const { status, text } = await hiding.send(path, { headers });
    expect([status, JSON.parse(text).kind, leaks(text), text.includes(`"${LAST_APPLIED}"`)]).toEqual([
      200,
      kind,
      false,
      false,
    ]);
  });

  it('The other annotations, and the selectors that select a Secret, are shown', async () => {
    const { metadata } = JSON.parse((await hiding.send(SECRET)).text);
    expect(metadata).toMatchObject({ labels: { app: 'web' }, annotations: { note: 'kept' } });
    const { text } = await hiding.send(`${SECRET}/selectedby`);
    expect(JSON.parse(text).items).toMatchObject([{ metadata: { name: 'passwords' } }]);
  });

  it('A merge patch of labels changes a Secret, and its answer is metadata', async () => {
    const body = JSON.stringify({ metadata: { labels: { tier: 'back' } } });
    const headers = { 'content-type': `${MERGE}; charset=utf-8` };
    const { status, text } = await hiding.send(SECRET, { method: 'PATCH', headers, body });
    expect([status, leaks(text)]).toEqual([200, false]);
    expect(JSON.parse(text)).toMatchObject({
      kind: 'PartialObjectMetadata',
      metadata: { labels: { app: 'web', tier: 'back' } },
    });
    expect((await memory.ask('GET', SECRET)).data).toEqual({ password: DATA });
  });

  it('The objects of other kinds, and objects with the name secrets, are shown whole', async () => {
    await memory.ask('POST', '/api/v1/namespaces', { metadata: { name: 'secrets' } });
    const maps = '/api/v1/namespaces/secrets/configmaps';
    await memory.ask('POST', maps, { metadata: { name: 'selected' }, data: { a: 'b' } });
    await memory.ask('POST', maps, { metadata: { name: 'secrets' }, data: { a: 'b' } });
    for (const path of [`${maps}/selected`, `${maps}/secrets`]) {
      expect(JSON.parse((await hiding.send(path)).text).data).toEqual({ a: 'b' });
    }
    expect(JSON.parse((await hiding.send('/api/v1/namespaces/secrets')).text).kind).toBe('Namespace');
  });
});

describe('A console without --secrets refuses', () => {
  it.each<[what: string, path: string]>([
    ['a Table with objects', `${SECRETS}?includeObject=Object`],
    ['a Table with objects, named twice', `${SECRETS}?includeObject=None&includeObject=Object`],
    ['a Table with objects in other letters', `${SECRETS}?includeObject=object`],
    ['members with objects', `${TALLIES}/passwords/selected?includeObject=Object`],
    ['the history of a Secret', `${SECRET}/history`],
    ['the history of a Secret with states', `${SECRET}/history?states=true`],
    ['the history of all Secrets', `${HISTORIES}?fieldSelector=resource%3Dsecrets`],
    ['the history of Secrets with the core group', `${HISTORIES}?fieldSelector=resource%3Dsecrets.`],
    ['the history of Secrets by ==', `${HISTORIES}?fieldSelector=resource%3D%3Dsecrets,metadata.name%3Da`],
    [
      'the history of the Secrets of a namespace',
      '/apis/winnow.dev/v1/namespaces/default/histories?fieldSelector=metadata.name%3Da,resource%3Dsecrets',
    ],
    [
      'a second field selector',
      `${HISTORIES}?fieldSelector=resource%3Dpods&fieldSelector=resource%3Dsecrets`,
    ],
  ])('%s', async (_, path) => {
    const { status, text } = await hiding.send(path, { headers: { accept: TABLE } });
    expect([status, leaks(text)]).toEqual([path.includes('&fieldSelector') ? 400 : 403, false]);
  });

  it.each<[what: string, method: string, path: string, type: string, body: unknown]>([
    ['a create', 'POST', SECRETS, 'application/json', { metadata: { name: 'b' } }],
    ['a dry run', 'POST', `${SECRETS}?dryRun=All`, 'application/json', { metadata: { name: 'b' } }],
    ['an update', 'PUT', SECRET, 'application/json', { metadata: { name: 'pass' } }],
    ['a deletion', 'DELETE', SECRET, 'application/json', {}],
    ['a deletion of all', 'DELETE', SECRETS, 'application/json', {}],
    [
      'a JSON patch that copies data into a label',
      'PATCH',
      SECRET,
      'application/json-patch+json',
      [{ op: 'copy', from: '/data/password', path: '/metadata/labels/x' }],
    ],
    ['an apply', 'PATCH', `${SECRET}?fieldManager=x`, 'application/apply-patch+yaml', { metadata: {} }],
    [
      'a strategic merge patch',
      'PATCH',
      SECRET,
      'application/strategic-merge-patch+json',
      { metadata: { labels: { a: 'b' } } },
    ],
    ['a merge patch of data', 'PATCH', SECRET, MERGE, { data: { password: null } }],
    ['a merge patch of annotations', 'PATCH', SECRET, MERGE, { metadata: { labels: {}, annotations: {} } }],
    ['a merge patch of labels and data', 'PATCH', SECRET, MERGE, { metadata: { labels: {} }, data: {} }],
    ['a merge patch of finalizers', 'PATCH', SECRET, MERGE, { metadata: { labels: {}, finalizers: [] } }],
    ['a merge patch without labels', 'PATCH', SECRET, MERGE, { metadata: {} }],
    ['a merge patch that is a list', 'PATCH', SECRET, MERGE, []],
    ['a merge patch of the status', 'PATCH', `${SECRET}/status`, MERGE, { metadata: { labels: {} } }],
    ['a merge patch of all', 'PATCH', SECRETS, MERGE, { metadata: { labels: {} } }],
  ])('%s of Secrets', async (_, method, path, type, sent) => {
    const body = JSON.stringify(sent);
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const { status, text } = await hiding.send(path, { method, headers, body });
    expect([status, leaks(text), JSON.parse(text).message]).toEqual([
      403,
      false,
      expect.stringContaining('winnow console --secrets'),
    ]);
    expect(await memory.ask('GET', SECRET)).toMatchObject({ data: { password: DATA } });
    expect((await memory.ask('GET', SECRETS)).items).toHaveLength(1);
  });

  it('a patch that two parsers could read differently is sent as the console has read it', async () => {
    const body = '{"metadata":{"labels":{"a":"1"}},"metadata":{"labels":{"a":"2"}}}';
    const { text } = await hiding.send(SECRET, { method: 'PATCH', headers: { 'content-type': MERGE }, body });
    expect(JSON.parse(text).metadata.labels.a).toBe('2');
  });
});

describe('A console with --secrets', () => {
  it('shows whole Secrets and their history, and passes on writes of them', async () => {
    expect(JSON.parse((await showing.send(SECRET)).text).data).toEqual({ password: DATA });
    expect(leaks((await showing.send(`${SECRET}/history`)).text)).toBe(true);
    const body = JSON.stringify({ data: { other: DATA } });
    const headers = { 'content-type': MERGE };
    expect((await showing.send(SECRET, { method: 'PATCH', headers, body })).status).toBe(200);
    expect((await memory.ask('GET', SECRET)).data).toEqual({ other: DATA, password: DATA });
  });
});

describe('A server that answers with more than metadata', () => {
  const WHOLE = { kind: 'Secret', apiVersion: 'v1', metadata: {}, data: { password: DATA } };
  const META = 'meta.k8s.io/v1';
  it.each<[what: string, answer: unknown, type: string]>([
    ['a whole Secret', WHOLE, 'application/json'],
    ['a list of Secrets', { kind: 'SecretList', apiVersion: 'v1', items: [WHOLE] }, 'application/json'],
    [
      'a Table with objects',
      { kind: 'Table', apiVersion: META, rows: [{ object: WHOLE }] },
      'application/json',
    ],
    [
      'a list with a whole Secret',
      { kind: 'PartialObjectMetadataList', apiVersion: META, items: [WHOLE] },
      'application/json',
    ],
    ['a history', { kind: 'HistoryList', items: [{ before: WHOLE }] }, 'application/json'],
    ['YAML', WHOLE, 'application/yaml'],
    ['a text', DATA, 'text/plain'],
    ['a list', [WHOLE], 'application/json'],
    ['a null', null, 'application/json'],
  ])('The console passes on nothing of %s', async (_, answer, type) => {
    const server = await serveApi((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(JSON.stringify(answer));
    });
    const console = await openTestConsole(server.url);
    const { status, text } = await console.send(SECRET);
    expect([status, leaks(text)]).toEqual([502, false]);
    await console.stop();
    await server.stop();
  });

  it.each([
    '/api/v1/secrets',
    '/api/v1/watch/secrets',
    '/api/v1/namespaces/secrets/secrets/secrets',
    '/api/v1/namespaces/default/secrets/pass/status',
    '/api/v2/namespaces/default/secrets',
    '/api/v1/namespaces/default/selected',
    '/api/v1/nodes/a/selected',
    '/apis/x.example/v1/namespaces/default/history/a/selected',
    '/apis/x.example/v1/namespaces/default/selected/a/selected',
    '/apis/x.example/v1/watch/namespaces/default/status/a/selected',
  ])('The console passes on no whole object from %s', async (path) => {
    const server = await serveApi((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(WHOLE)}\n`);
    });
    const console = await openTestConsole(server.url);
    const answer = await console.send(path).catch((error: Error) => ({ text: error.message }));
    expect(answer.text).toMatch(/^aborted$|with more than the metadata of Secrets/);
    await console.stop();
    await server.stop();
  });

  it('The console shows no fields beside the metadata, and breaks a watch off that sends a whole Secret', async () => {
    const metadata = { kind: 'PartialObjectMetadata', apiVersion: META, metadata: { name: 'a' } };
    const event = (object: unknown) => `${JSON.stringify({ type: 'ADDED', object, data: DATA })}\n`;
    const server = await serveApi((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.url === SECRET) return void response.end(JSON.stringify({ ...metadata, data: DATA }));
      response.end(`${event({ ...metadata, data: DATA })}\n${event(WHOLE)}`);
    });
    const console = await openTestConsole(server.url);
    expect(JSON.parse((await console.send(SECRET)).text)).toEqual(metadata);
    const watch = await console.open('/api/v1/watch/secrets');
    let text = '';
    watch.on('data', (chunk) => (text += chunk));
    await new Promise((resolve) => watch.once('error', resolve));
    expect(text).toBe(`${JSON.stringify({ type: 'ADDED', object: metadata })}\n\n`);
    await console.stop();
    await server.stop();
  });
});

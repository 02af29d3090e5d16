import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METRICS } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import type { Inbox } from '../../support/service/inbox.ts';
import { capturePrintedLines, type PrintedLines, spellMetrics } from '../../support/service/printed-lines.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: Service;
let http: HttpClient;
let inbox: Inbox;
let printed: PrintedLines;

const VARIABLES = { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_METRICS_DISABLED: 'false' };
const before = Object.keys(VARIABLES).map((name) => [name, process.env[name]] as const);

beforeAll(async () => {
  Object.assign(process.env, VARIABLES);
  printed = capturePrintedLines();
  service = await startService();
  http = service.http;
  await http.post(PODS, pod('early'));
  inbox = (await service.subscribe('web', { resource: { resource: 'pods' }, start: 'snapshot' })).read();
});

afterAll(async () => {
  await service.stop();
  printed.release();
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

const pod = (name: string) => ({ metadata: { name, labels: { app: 'web' } }, spec: podSpec() });
const create = (name: string, headers: Record<string, string> = {}) =>
  http.ask('POST', PODS, { body: pod(name), headers });

async function messageOf(name: string) {
  const events = await inbox.until((all) => all.some(({ object }) => object.metadata.name === name));
  return events.find(({ object }) => object.metadata.name === name);
}

/** Waits for a line of the log with the message that meets `holds`, and returns it. */
const logged = (message: string, holds: (line: Readonly<Record<string, unknown>>) => boolean) =>
  eventually(`a line of the log: ${message}`, () =>
    printed.logs.find((line) => line.message === message && holds(line)),
  );

describe('a request for a PlacementReview', () => {
  it('place answers a PlacementReview, as a Table on request', async () => {
    const Accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const headers = { Accept, 'Audit-ID': 'review-1' };
    const spec = { pod: { spec: podSpec() }, count: 2 };
    const { body: born } = await http.post('/api/v1/nodes', { metadata: { name: 'a' } });
    const { body: node } = await http.put('/api/v1/nodes/a', { ...born, spec: {} });
    const status = { allocatable: { cpu: '1', memory: '1Gi', pods: '1' } };
    await http.put('/api/v1/nodes/a/status', { ...node, status });
    const path = '/apis/winnow.dev/v1/placementreviews';
    const answer = await http.ask('POST', path, { body: { spec }, headers });
    expect(answer.body).toMatchObject({
      kind: 'Table',
      columnDefinitions: [{ name: 'Node' }, { name: 'Pods' }, { name: 'Score' }, { name: 'Why' }],
      rows: [
        { cells: ['a', 1, expect.stringMatching(/^\d+$/), expect.stringContaining('NodeResourcesFit ')] },
      ],
    });
    const line = await logged('answered a request', ({ auditID }) => auditID === 'review-1');
    expect(line).toMatchObject({ service: 'place', verb: 'create', status: 201 });
    expect((await http.send('GET', path)).status).toBe(405);
  });
});

describe('the id of a request', () => {
  it('the id of a request is in its response, in the logs of request and delivery, and in the message', async () => {
    const { headers } = await create('mine', { 'Audit-ID': 'release-7.2' });
    expect(headers.get('audit-id')).toBe('release-7.2');
    expect((await messageOf('mine'))?.attributes).toMatchObject({ auditID: 'release-7.2', user: 'local' });
    const answered = await logged('answered a request', ({ auditID }) => auditID === 'release-7.2');
    const line = { service: 'write', verb: 'create', status: 201, path: PODS, user: 'local' };
    expect(answered).toMatchObject(line);
    const holds = ({ auditIDs }: { auditIDs?: unknown }) =>
      Array.isArray(auditIDs) && auditIDs.includes('release-7.2');
    expect(await logged('delivered changes', holds)).toMatchObject({
      service: 'dispatch',
      collection: 'core/pods',
    });
  });

  it('every request without an id gets a new one', async () => {
    const ids = await Promise.all(
      ['one', 'two'].map(async (name) => (await create(name)).headers.get('audit-id')),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(UUID);
    const told = await Promise.all(['one', 'two'].map(messageOf));
    expect(told.map((message) => message?.attributes.auditID)).toEqual(ids);
  });

  it('refusals of the functions and of the gateway carry the id', async () => {
    const conflict = await http.send('POST', PODS, { body: pod('early'), headers: { 'Audit-ID': 'again' } });
    expect([conflict.status, conflict.headers.get('audit-id')]).toEqual([409, 'again']);
    const unrouted = await http.send('OPTIONS', PODS);
    expect(unrouted.headers.get('audit-id')).toMatch(UUID);
  });

  it('a message of a snapshot has no id, because no single request led to it', async () => {
    expect((await messageOf('early'))?.attributes).not.toHaveProperty('auditID');
  });

  it('a list and a watch do not show the id', async () => {
    await create('shown', { 'Audit-ID': 'not-shown' });
    const list = await http.send('GET', PODS);
    const watched = await fetch(`${http.url}${PODS}?watch=true&timeoutSeconds=1&resourceVersion=1`);
    const text = `${JSON.stringify(list.body)}${await watched.text()}`;
    expect(text).toContain('"shown"');
    expect(text).not.toContain('not-shown');
  });
});

describe('the metrics of a request', () => {
  it('the request latency and the dispatch lag are published under known names', async () => {
    await create('measured');
    await messageOf('measured');
    const published = await eventually('what was measured is published', () => {
      const all = [...spellMetrics(printed.metrics)];
      return all.some((metric) => metric.includes(' DispatchLag ')) && all;
    });
    expect(published).toEqual(
      expect.arrayContaining([
        'Winnow DispatchLag service=Winnow',
        'Winnow JournalLag service=Winnow',
        'Winnow OldestEntryAge service=Winnow',
        'Winnow CatchingUpSubscriptions service=Winnow',
        'Winnow RequestLatency service=Winnow verb=create',
        'Winnow RequestLatency service=Winnow status=2xx',
      ]),
    );
    for (const metric of published) expect(Object.keys(METRICS)).toContain(metric.split(' ')[1]);
  });
});

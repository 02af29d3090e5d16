import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import type { Inbox } from '../../support/service/inbox.ts';
import { type Service, startService } from '../../support/service/service.ts';
import {
  type BadRequest,
  CONFIG_MAPS,
  DEPLOYMENTS,
  NAMESPACES,
  PODS,
  SERVICES,
  SUBSCRIPTIONS,
} from './bad-input/bad-request.ts';
import { bodies } from './bad-input/bodies.ts';
import { objects } from './bad-input/objects.ts';
import { queries } from './bad-input/queries.ts';
import { selectors } from './bad-input/selectors.ts';
import { subscriptions } from './bad-input/subscriptions.ts';

const COLLECTIONS = [PODS, CONFIG_MAPS, SERVICES, DEPLOYMENTS, SUBSCRIPTIONS, NAMESPACES];

let service: Service;
let standing: Inbox;

beforeAll(async () => {
  service = await startService({ newestSchema: true });
  const { http } = service;
  await http.post(PODS, {
    metadata: { name: 'standing', labels: { app: 'standing' } },
    spec: podSpec(),
  });
  standing = await service.subscribe('standing', {
    resource: { resource: 'pods' },
    labelSelector: 'app',
    start: 'now',
  });
  // A finalizer holds a pod, so that the namespace stays Terminating.
  await http.post(NAMESPACES, { metadata: { name: 'leaving' } });
  await http.post(`${NAMESPACES}/leaving/pods`, {
    metadata: { name: 'held', finalizers: ['example.com/hold'] },
    spec: podSpec(),
  });
  await http.delete(`${NAMESPACES}/leaving`);
  await eventually('the held pod is marked', async () => {
    const { metadata } = (await http.get(`${NAMESPACES}/leaving/pods/held`)).body;
    return metadata.deletionTimestamp !== undefined;
  });
});

afterAll(async () => {
  await service.http.merge(`${NAMESPACES}/leaving/pods/held`, { metadata: { finalizers: null } });
  await service.stop();
});

function versions(http: HttpClient): Promise<string[]> {
  return Promise.all(COLLECTIONS.map((path) => http.version(path)));
}

describe.each([
  ['selectors', selectors],
  ['queries', queries],
  ['objects', objects],
  ['bodies', bodies],
  ['subscriptions', subscriptions],
])('invalid %s', (_, requests) => {
  let before: string[];

  beforeAll(async () => {
    before = await versions(service.http);
  });

  it.each([...requests])('the API refuses $title', async (request: BadRequest) => {
    const { method = 'GET', path, code, reason, says, causes = [], ...options } = request;
    const { http, problems } = service;

    const answer = await http.send(method, path, options);

    expect(answer.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason });
    expect(answer.status).toBe(code);
    for (const text of says) expect(answer.message).toContain(text);
    const told = answer.causes.map(({ reason: why, field = '' }) => `${why} ${field}`);
    expect(told).toEqual(causes);
    expect(problems).toEqual([]);
  });

  it('the refused requests wrote nothing', async () => {
    expect(await versions(service.http)).toEqual(before);
  });
});

it('the refused requests sent no event to the queue of an existing subscription', async () => {
  const { http } = service;
  standing.read();
  await http.merge(`${PODS}/standing`, { metadata: { annotations: { done: 'yes' } } });
  const events = await standing.until((received) => received.length > 0);
  expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([['MODIFIED', 'standing']]);
});

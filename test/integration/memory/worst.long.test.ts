import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { FunctionName } from '../../../lib/platform/function-names.ts';
import { eventually } from '../../support/eventually.ts';
import {
  getEvent,
  invokeAlone,
  type LoneAnswer,
  proxyEvent,
  queueEvent,
} from '../../support/service/lone-function.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { WORST_BODIES, WORST_BODY } from '../../support/store/worst-bodies.ts';

/** Tests every function at its memory setting with enough of the worst objects to have crashed it earlier. */
const COUNT = 80;
/** ControllerRevisions, the type that may have any content. */
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const COLLECTION = 'apps/controllerrevisions';

let service: Service;
const held = new Set<FunctionName>(['dispatch', 'reconcile']);

beforeAll(async () => {
  const beforeInvoke = async (name: FunctionName) => {
    if (held.has(name)) throw new Error(`${name} runs alone`);
  };
  held.clear();
  service = await startService({ newestSchema: true, fault: { beforeInvoke } });
});
afterAll(() => service.stop());

const name = (index: number) => `worst-${String(index).padStart(3, '0')}`;
const write = (index: number, method: string, body: JsonObject) =>
  service.http.send(method, method === 'POST' ? REVISIONS : `${REVISIONS}/${name(index)}`, { body });
const object = (index: number, junk: JsonObject[string]): JsonObject => ({
  metadata: { name: name(index), labels: { app: 'worst' } },
  data: { junk },
  revision: 1,
});

function expectWithinMemory({ peak, memory }: LoneAnswer): void {
  expect(Math.min(memory, peak)).toBeGreaterThan(0);
  expect(peak).toBeLessThanOrEqual(memory);
}

async function listAlone(query: string) {
  const answer = await invokeAlone('read', getEvent(`${REVISIONS}?${query}`));
  expectWithinMemory(answer);
  return { ...answer, body: JSON.parse(answer.text) };
}

async function uidOf(subscription: string): Promise<string> {
  const { body } = await service.http.get(
    `/apis/winnow.dev/v1/namespaces/default/subscriptions/${subscription}`,
  );
  return body.metadata.uid;
}

const spec = { resource: { group: 'apps', resource: 'controllerrevisions' }, labelSelector: 'app=worst' };

it('the worst accepted objects are created, and worse ones are refused', async () => {
  for (const [index, junk] of Object.values(WORST_BODIES).entries()) {
    expect((await write(index, 'POST', object(index, junk))).status).toBe(201);
  }
  const refused = await write(99, 'POST', object(99, Array(60_001).fill(null)));
  expect(refused).toMatchObject({ status: 413, reason: 'RequestEntityTooLarge' });
  expect(refused.message).toContain('the limit is 60000');
});

it('dispatch sends a backlog of the worst objects within its memory', async () => {
  await service.subscribe('live', spec);
  held.add('dispatch').add('reconcile');
  const { length } = Object.keys(WORST_BODIES);
  for (let index = length; index < COUNT; index += 1) {
    expect((await write(index, 'POST', object(index, WORST_BODY))).status).toBe(201);
  }
  for (let index = 0; index < COUNT; index += 1) {
    expect((await write(index, 'PUT', object(index, [WORST_BODY]))).status).toBe(200);
  }
  const { body } = await service.http.get(`${REVISIONS}?limit=1`);
  const hint = { collection: COLLECTION, rv: Number(body.metadata.resourceVersion) };
  const answer = await invokeAlone('dispatch', queueEvent(hint));
  expectWithinMemory(answer);
  expect(JSON.parse(answer.text)).toEqual({ batchItemFailures: [] });
});

const NAMES = Array.from({ length: COUNT }, (_, index) => name(index));
const namesOf = ({ items }: { items: { metadata: { name: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

it('read lists the worst objects at once, and writes them as they are read', async () => {
  const { status, body } = await listAlone('');
  expect({ status, kind: body.kind, names: namesOf(body) }).toEqual({
    status: 200,
    kind: 'ControllerRevisionList',
    names: NAMES,
  });
});

it('read refuses to list the worst objects at once together with the plan', async () => {
  const { status, body } = await listAlone('explain=header');
  expect({ status, message: body.message }).toEqual({
    status: 413,
    message: expect.stringContaining('limit and continue'),
  });
});

it('read lists the worst objects in pages that fit into memory', async () => {
  const names: string[] = [];
  let token = '';
  do {
    const page = await listAlone(`limit=500&continue=${encodeURIComponent(token)}`);
    expect(page.status).toBe(200);
    names.push(...namesOf(page.body));
    token = page.body.metadata.continue ?? '';
  } while (token !== '');
  expect(names).toEqual(NAMES);
});

it('read watches the worst objects and their changes within its memory', async () => {
  const present = await invokeAlone('read', getEvent(`${REVISIONS}?watch=true&timeoutSeconds=15`));
  expectWithinMemory(present);
  expect(present.text.match(/^\{"type":"ADDED"/gm)).toHaveLength(COUNT);
  let from = '1';
  let told = 0;
  for (let round = 0; told < 2 * COUNT && round < 20; round += 1) {
    const query = `watch=true&timeoutSeconds=15&resourceVersion=${from}`;
    const changes = await invokeAlone('read', getEvent(`${REVISIONS}?${query}`));
    expectWithinMemory(changes);
    if (changes.text.trim() === '') continue;
    const lines = changes.text.trim().split('\n');
    told += lines.length;
    from = JSON.parse(lines.at(-1) ?? '').object.metadata.resourceVersion;
  }
  expect(told).toBe(2 * COUNT);
});

it('reconcile sends a snapshot of the worst objects within its memory', async () => {
  const path = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
  const body = { metadata: { name: 'snapshot' }, spec: { ...spec, start: 'snapshot' } };
  expect((await service.http.send('POST', path, { body })).status).toBe(201);
  const uid = await uidOf('snapshot');
  const message = {
    kind: 'subscription',
    uid,
    collection: COLLECTION,
    name: { namespace: 'default', name: 'snapshot' },
  };
  const answer = await invokeAlone('reconcile', queueEvent(message));
  expectWithinMemory(answer);
  expect(JSON.parse(answer.text)).toEqual({ batchItemFailures: [] });
  held.clear();
  await eventually('the snapshot is sent, and the subscription synced', async () => {
    const { status } = (await service.http.get(`${path}/snapshot`)).body;
    return (status as JsonObject | undefined)?.phase === 'Synced';
  });
});

it('write refuses a too large body before it fills the memory', async () => {
  const huge = Array(1_000_000).fill({});
  const created = await invokeAlone('write', proxyEvent('POST', REVISIONS, object(98, huge)));
  expectWithinMemory(created);
  expect(JSON.parse(created.text)).toMatchObject({ statusCode: 413 });
});

it('write deletes all worst objects within its memory', async () => {
  // On a busy machine the request may exceed its 25 s. A client then repeats it.
  for (let status = 0; status !== 200; ) {
    const answer = await invokeAlone('write', proxyEvent('DELETE', REVISIONS));
    expectWithinMemory(answer);
    status = JSON.parse(answer.text).statusCode;
    expect([200, 504]).toContain(status);
  }
  expect((await service.http.get(REVISIONS)).items).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';

const OWN = '000000000000';
const LISTED = '444455556666';
const FOREIGN = '999900001111';
const PATH = (namespace: string, kind = 'subscriptions') =>
  `/apis/winnow.dev/v1/namespaces/${namespace}/${kind}`;
const role = (account: string) => `arn:aws:iam::${account}:role/reader`;
const keys = (bytes: number) =>
  'k'
    .repeat(60)
    .concat(',')
    .repeat(bytes)
    .slice(0, bytes - 1)
    .concat('z');

let service: Service;

beforeAll(async () => {
  service = await startService({
    subscribing: {
      consumers: LISTED,
      subscriptionsPerNamespace: 4,
      talliesPerNamespace: 2,
      selectorBytesPerNamespace: 10_000,
      selectorBytesPerCollection: 12_000,
    },
  });
});
afterAll(() => service.stop());

const PODS = { resource: { resource: 'pods' } };
const create = (namespace: string, name: string, spec: JsonObject, kind = 'subscriptions') =>
  service.http.send('POST', PATH(namespace, kind), { body: { metadata: { name }, spec } });
const namespace = (name: string) =>
  service.http.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });

describe('the size of a selector', () => {
  it.each([
    ['labelSelector', (bytes: number) => ({ labelSelector: keys(bytes) })],
    ['fieldSelector', (bytes: number) => ({ fieldSelector: `metadata.name=${'n'.repeat(bytes - 14)}` })],
    [
      'selector',
      (bytes: number) => ({ selector: { matchLabels: { a: 'v' }, matchExpressions: values(bytes - 4) } }),
    ],
    ['namespaceSelector', (bytes: number) => ({ namespaceSelector: { matchExpressions: values(bytes) } })],
  ])('a selector in spec.%s may take at most 4096 bytes', async (field, spec) => {
    const refused = await create('default', 'long', { ...PODS, ...spec(4_097) });
    expect(refused).toMatchObject({ status: 422, reason: 'Invalid' });
    expect(refused.message).toContain(
      `spec.${field}: Invalid value: "4097 bytes": a selector may take 4096 bytes (setting selectorBytes)`,
    );
    const dry = await service.http.send('POST', `${PATH('default')}?dryRun=All`, {
      body: { metadata: { name: 'fits' }, spec: { ...PODS, ...spec(4_096) } },
    });
    expect(dry.status).toBe(201);
    expect((await service.http.get(PATH('default'))).items).toEqual([]);
  });
});

/** Returns requirements of `bytes` bytes. */
function values(bytes: number): JsonObject[] {
  const key = 'a';
  const list: string[] = [];
  let left = bytes - key.length - 1 - 'In'.length - 1;
  for (let at = 0; left > 0; at += 1) {
    const value = `v${String(at).padStart(Math.min(left, 50) - 2, '0')}`.slice(0, Math.min(left, 50) - 1);
    list.push(value);
    left -= value.length + 1;
    if (left === 1) {
      list[list.length - 1] = `${value}x`;
      left = 0;
    }
  }
  return [{ key, operator: 'In', values: list }];
}

describe('the limits of a namespace', () => {
  it('a namespace limits its Subscriptions and Tallies, also if clients create them concurrently', async () => {
    await namespace('full');
    const subscriptions = await Promise.all(
      Array.from({ length: 12 }, (_, at) => create('full', `s${at}`, PODS)),
    );
    const statuses = subscriptions.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 201, ...Array(8).fill(403)]);
    const refused = subscriptions.find(({ status }) => status === 403);
    expect(refused?.message).toContain(
      'namespace full has 4 subscriptions, the limit is 4 (setting subscriptionsPerNamespace)',
    );
    const tallies = await Promise.all(
      Array.from({ length: 4 }, (_, at) => create('full', `t${at}`, PODS, 'tallies')),
    );
    expect(tallies.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403]);
  });

  it('a namespace limits the bytes of all its selectors together', async () => {
    await namespace('long');
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        create('long', name, { resource: { resource: 'secrets' }, labelSelector: keys(4_000) }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    expect(made.find(({ status }) => status === 422)?.message).toContain(
      'spec: Invalid value: "4000 bytes": the limit for the selectors of all subscriptions of namespace long is 10000 bytes (setting selectorBytesPerNamespace); the others already take 8000 bytes',
    );
    const small = await create('long', 'small', {
      resource: { resource: 'secrets' },
      labelSelector: keys(1_000),
    });
    expect(small.status).toBe(201);
    const edit = (bytes: number) =>
      service.http.send('PATCH', `${PATH('long')}/small`, {
        body: { spec: { labelSelector: keys(bytes) } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    expect((await edit(2_001)).status).toBe(422);
    expect((await edit(2_000)).status).toBe(200);
    expect((await edit(100)).status).toBe(200);
  });

  it('a ResourceQuota limits the Subscriptions of a namespace', async () => {
    await namespace('quota');
    const quota = { metadata: { name: 'few' }, spec: { hard: { 'count/subscriptions.winnow.dev': '1' } } };
    await service.http.send('POST', '/api/v1/namespaces/quota/resourcequotas', { body: quota });
    const made = await Promise.all(['a', 'b'].map((name) => create('quota', name, PODS)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 403]);
    expect(made.find(({ status }) => status === 403)?.message).toContain('exceeded quota: few');
  });
});

it('a collection limits the bytes of the selectors of all namespaces together', async () => {
  const nodes = { resource: { resource: 'nodes' }, namespaces: 'All' };
  for (const name of ['one', 'two', 'three', 'four']) await namespace(name);
  for (const name of ['one', 'two', 'three']) {
    await service.subscribe('sub', { ...nodes, labelSelector: keys(4_000) }, name);
  }
  await eventually('dispatch has said what it selects by', async () => {
    const refused = await create('four', 'sub', { ...nodes, labelSelector: keys(4_000) });
    expect(refused.message).toContain(
      'the limit for all selectors that select from core/nodes is 12000 bytes (setting selectorBytesPerCollection); the others already take 12000 bytes',
    );
    return refused.status === 422;
  });
});

describe('the accounts that may receive', () => {
  it.each([
    [{ consumers: [role(OWN), role(FOREIGN)] }, 'spec.consumers[1]', role(FOREIGN)],
    [
      { queue: { arn: `arn:aws:sqs:us-east-1:${FOREIGN}:theirs.fifo` } },
      'spec.queue.arn',
      `arn:aws:sqs:us-east-1:${FOREIGN}:theirs.fifo`,
    ],
  ])('an account that the setting does not list may not receive: %o', async (more, field, value) => {
    const refused = await create('default', 'foreign', { ...PODS, ...more });
    expect(refused.status).toBe(422);
    expect(refused.message).toContain(
      `${field}: Invalid value: "${value}": account ${FOREIGN} may not receive: the setting consumers is ${LISTED}, which allows ${OWN}, ${LISTED}`,
    );
  });

  it('an account that the setting lists may receive', async () => {
    const made = await create('default', 'listed', { ...PODS, consumers: [role(OWN), role(LISTED)] });
    expect(made.status).toBe(201);
  });
});

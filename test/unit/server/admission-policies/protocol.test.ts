import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { BINDINGS, bindingOf, configMap, POLICIES, pod, policyOf } from './support.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const MERGE = 'application/merge-patch+json';
const ROLES = '/apis/rbac.authorization.k8s.io/v1';
let api: AccessApi;
let ask: Ask;
let jane: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  ask = api.as(ADMIN);
  jane = api.as({ username: 'jane', groups: ['system:authenticated'] });
  await ask('POST', `${ROLES}/clusterrolebindings`, {
    metadata: { name: 'jane' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', name: 'jane' }],
  });
});

async function enforce(policy: JsonObject, binding: JsonObject = {}): Promise<void> {
  const { name } = policy.metadata as JsonObject;
  expect((await ask('POST', POLICIES, policy)).status).toBe(201);
  expect((await ask('POST', BINDINGS, bindingOf(String(name), binding))).status).toBe(201);
}

/** The partition keys of each read during some work. */
async function readsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const reads: string[][] = [];
  const { faults } = api.table;
  faults.get = async (next, ...request) => {
    reads.push([request[0].pk]);
    return next(...request);
  };
  faults.batchGet = async (next, ...request) => {
    reads.push(request[0].map(({ pk }) => pk));
    return next(...request);
  };
  faults.query = async (next, ...request) => {
    reads.push([request[0].partition]);
    return next(...request);
  };
  try {
    await work();
  } finally {
    delete faults.get;
    delete faults.batchGet;
    delete faults.query;
  }
  return reads;
}

describe('the decision about a write', () => {
  it('is made again if another writer changed the object meanwhile', async () => {
    await ask('POST', MAPS, configMap('x', { k: '1' }));
    await enforce(
      policyOf('p', { resources: ['configmaps'] }, "oldObject == null || oldObject.data.k != 'locked'"),
    );
    let others = 0;
    api.table.faults.transact = async (next, ...request) => {
      others += 1;
      if (others === 1) {
        const locked = await ask('PATCH', `${MAPS}/x`, { data: { k: 'locked' } }, MERGE);
        expect(locked.status).toBe(200);
      }
      return next(...request);
    };
    const { status, body } = await ask('PATCH', `${MAPS}/x`, { data: { k: '2' } }, MERGE);
    expect([status, body.reason]).toEqual([422, 'Invalid']);
    expect(others).toBeGreaterThan(1);
    expect((await ask('GET', `${MAPS}/x`)).body.data).toEqual({ k: 'locked' });
  });

  it('reads the parameters again for each attempt of the write', async () => {
    await ask('POST', MAPS, configMap('param', { allow: 'yes' }));
    await ask('POST', PODS, pod('p'));
    await enforce(
      policyOf('p', { resources: ['pods'] }, "params.data.allow == 'yes'", {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      }),
      { paramRef: { name: 'param', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    );
    let others = 0;
    api.table.faults.transact = async (next, ...request) => {
      others += 1;
      if (others === 1) {
        await ask('PATCH', `${MAPS}/param`, { data: { allow: 'no' } }, MERGE);
        return { outcome: 'cancelled' };
      }
      return next(...request);
    };
    const labelled = { metadata: { labels: { a: 'b' } } };
    expect((await ask('PATCH', `${PODS}/p`, labelled, MERGE)).status).toBe(422);
  });

  it('counts in a process that knew no policy, and in one that knew an older one', async () => {
    for (const value of ['1', '2', '3']) {
      await enforce(policyOf(`p${value}`, { resources: ['configmaps'] }, `object.data.k != '${value}'`));
      for (const someone of [ask, jane]) {
        expect((await someone('POST', MAPS, configMap(`x${value}`, { k: value }))).status).toBe(422);
      }
      api.restart();
      expect((await jane('POST', MAPS, configMap(`x${value}`, { k: value }))).status).toBe(422);
    }
    for (const value of ['1', '2', '3']) {
      await ask('DELETE', `${BINDINGS}/p${value}`);
      expect((await ask('POST', MAPS, configMap(`x${value}`, { k: value }))).status).toBe(201);
    }
  });
});

describe('the cost of policies', () => {
  const ROW = 'access#versions';
  const count = (reads: string[][], pk: string) => reads.flat().filter((one) => one === pk).length;

  it('is no request without policies: a master reads one key more, another caller none', async () => {
    await ask('POST', MAPS, configMap('warm'));
    await jane('POST', MAPS, configMap('warm2'));
    const ofMaster = await readsOf(() => ask('POST', MAPS, configMap('x')));
    const ofJane = await readsOf(() => jane('POST', MAPS, configMap('y')));
    expect(ofJane.length).toBe(ofMaster.length + 1);
    expect([count(ofMaster, ROW), count(ofJane, ROW)]).toEqual([1, 1]);
    expect(ofMaster.find((keys) => keys.includes(ROW))?.length).toBeGreaterThan(1);
    const patched = await readsOf(() => ask('PATCH', `${MAPS}/x`, { data: { a: 'b' } }, MERGE));
    expect(patched[0]).toEqual([expect.stringMatching(/^object#/), ROW]);
    const deleted = await readsOf(() => ask('DELETE', `${MAPS}/x`));
    expect(deleted[0]).toEqual([expect.stringMatching(/^object#/), ROW]);
    const read = await readsOf(() => ask('GET', `${MAPS}/y`));
    expect(count(read, ROW)).toBe(0);
  });

  it('is no request with policies that this process knows and that need nothing else', async () => {
    await enforce(policyOf('p', { resources: ['secrets'] }, 'false'));
    await enforce(policyOf('q', { resources: ['configmaps'] }, 'true'));
    await ask('POST', MAPS, configMap('warm'));
    const before = await readsOf(() => ask('POST', MAPS, configMap('x')));
    await ask('DELETE', `${BINDINGS}/q`);
    await ask('DELETE', `${BINDINGS}/p`);
    await ask('POST', MAPS, configMap('warm2'));
    expect(await readsOf(() => ask('POST', MAPS, configMap('y')))).toHaveLength(before.length);
  });

  it('is one read of the namespace only for a policy that matches otherwise and needs it', async () => {
    await ask('POST', PODS, pod('p'));
    const namespaceSelector = { matchLabels: { no: 'no' } };
    const rule = (resources: string[]) => ({
      matchConstraints: {
        namespaceSelector,
        resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources }],
      },
    });
    await enforce(policyOf('p', { resources: [] }, 'false', rule(['secrets'])));
    const labelled = (value: string) => ({ metadata: { labels: { a: value } } });
    await ask('PATCH', `${PODS}/p`, labelled('1'), MERGE);
    const isSpace = (keys: string[]) => keys.includes('object#core/namespaces');
    const other = await readsOf(() => ask('PATCH', `${PODS}/p`, labelled('2'), MERGE));
    expect(other.filter(isSpace)).toEqual([]);
    await enforce(policyOf('q', { resources: [] }, 'false', rule(['pods'])));
    const own = await readsOf(() => ask('PATCH', `${PODS}/p`, labelled('3'), MERGE));
    expect(own.filter(isSpace)).toHaveLength(1);
  });

  it('is one get for a parameter that is named', async () => {
    await ask('POST', MAPS, configMap('param', { allow: 'yes' }));
    await ask('POST', PODS, pod('p'));
    await enforce(
      policyOf('p', { resources: ['pods'] }, "params.data.allow == 'yes'", {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      }),
      { paramRef: { name: 'param', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    );
    const labelled = (value: string) => ({ metadata: { labels: { a: value } } });
    await ask('PATCH', `${PODS}/p`, labelled('1'), MERGE);
    const reads = await readsOf(() => ask('PATCH', `${PODS}/p`, labelled('2'), MERGE));
    expect(count(reads, 'object#core/configmaps')).toBe(1);
  });
});

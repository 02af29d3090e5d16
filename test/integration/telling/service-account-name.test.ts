import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const SECRETS = '/api/v1/namespaces/default/secrets';
const MERGE = 'application/merge-patch+json';
const ROBOT = 'system:serviceaccount:default:robot';
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
  await api.memory.world.put('/default', {}, {}, 'core/namespaces');
  const own = (resources: string[]) => ({ apiGroups: ['winnow.dev'], resources, verbs: ['*'] });
  const core = (resources: string[], verbs: string[]) => ({ apiGroups: [''], resources, verbs });
  await role('writing', own(['subscriptions', 'tallies']));
  await role('seeing', core(['secrets', 'configmaps'], ['list', 'watch']));
  await role('using', core(['serviceaccounts'], ['impersonate']));
  await bind('writing', { kind: 'User', name: 'jane' });
});

const role = (name: string, ...rules: JsonObject[]) => api.ask('POST', ROLES, { metadata: { name }, rules });

const bind = (name: string, subject: JsonObject) =>
  api.ask('POST', BINDINGS, {
    metadata: { name: `${name}-${subject.name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [subject],
  });

const createRobot = async () => {
  const { metadata } = await api.ask('POST', ACCOUNTS, { metadata: { name: 'robot' } });
  return String((metadata as JsonObject).uid);
};

const asRobot = (resource = 'secrets', more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'mine' },
  spec: { resource: { resource }, serviceAccountName: 'robot', ...more },
});

const putSecret = (name: string) => api.ask('POST', SECRETS, { metadata: { name } });

async function told() {
  await api.memory.minutes(2);
  const consumer = await api.memory.world.consume('mine');
  return consumer.events.splice(0).map((event) => describeEvent(event).replace(/@.*/, ''));
}

const statusOf = async (path: string) => (await api.ask('GET', `${path}/mine`)).status as JsonObject;

describe('the field spec.serviceAccountName', () => {
  it('a Subscription delivers by the permissions of the account, regardless of its writer', async () => {
    const uid = await createRobot();
    await bind('seeing', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    await bind('using', { kind: 'User', name: 'jane' });
    await putSecret('a');
    const { status, headers } = await api
      .as(JANE)
      .send('POST', SUBSCRIPTIONS, asRobot('secrets', { start: 'snapshot' }));
    expect([status, headers.warning]).toEqual([201, undefined]);
    expect(await told()).toEqual(['ADDED default/a', 'BOOKMARK']);
    expect((await statusOf(SUBSCRIPTIONS)).author).toEqual({
      username: ROBOT,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      uid,
    });
    await api.ask('DELETE', `${ACCOUNTS}/robot`);
    await createRobot();
    await putSecret('b');
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
  });

  it('a Subscription of an administrator delivers by the permissions of the account too', async () => {
    await createRobot();
    await putSecret('a');
    await api.ask('POST', SUBSCRIPTIONS, asRobot('secrets', { start: 'snapshot' }));
    expect(await told()).toEqual(['BOOKMARK']);
    await bind('seeing', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    expect(await told()).toContain('ADDED default/a');
  });

  it('a Tally counts by the permissions of the account', async () => {
    await createRobot();
    await bind('using', { kind: 'User', name: 'jane' });
    await bind('seeing', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    await putSecret('a');
    await api.as(JANE).ask('POST', TALLIES, asRobot());
    await api.memory.minutes(2);
    expect((await statusOf(TALLIES)).count).toBe(1);
    await api.ask('DELETE', `${ACCOUNTS}/robot`);
    await api.memory.minutes(2);
    expect((await statusOf(TALLIES)).count).toBe(0);
  });

  it.each([SUBSCRIPTIONS, TALLIES])('no client can change the writer in the status in %s', async (path) => {
    const writer = async () => (await statusOf(path)).writer;
    await createRobot();
    await bind('using', { kind: 'User', name: 'jane' });
    const forged = { writer: { username: 'somebody' } };
    await api.as(JANE).ask('POST', path, { ...asRobot(), status: forged });
    await api.memory.minutes(2);
    expect(await writer()).toEqual({ username: 'jane' });
    const replace = async (change: JsonObject) => {
      const { spec, ...found } = await api.ask('GET', `${path}/mine`);
      return { ...found, spec: { ...(spec as JsonObject), ...change } };
    };
    const suspended = await replace({ suspend: true });
    await api.ask('PUT', `${path}/mine`, suspended);
    const status = { ...(await statusOf(path)), ...forged };
    const { metadata } = await api.ask('GET', `${path}/mine`);
    await api.ask('PUT', `${path}/mine/status`, { ...suspended, metadata, status } as JsonObject);
    await api.memory.minutes(2);
    expect(await writer()).toEqual({ username: 'jane' });
    await api.ask('PUT', `${path}/mine`, await replace({ labelSelector: 'app=web' }));
    expect(await writer()).toEqual({ username: expect.not.stringContaining('jane') });
    await api.ask('PUT', `${path}/mine`, await replace({ serviceAccountName: null }));
    expect(await writer()).toBeUndefined();
  });

  it('serviceAccountName is refused to a user who may not impersonate the account', async () => {
    await createRobot();
    await bind('seeing', { kind: 'User', name: 'jane' });
    const { status, body } = await api.as(JANE).send('POST', SUBSCRIPTIONS, asRobot());
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('User "jane" cannot impersonate resource "serviceaccounts"'),
    ]);
  });

  it('a user who may not use the account cannot edit a Subscription that runs as it', async () => {
    await createRobot();
    await bind('seeing', { kind: 'User', name: 'jane' });
    await api.ask('POST', SUBSCRIPTIONS, asRobot('configmaps'));
    const edit = (spec: JsonObject) => api.as(JANE).send('PATCH', `${SUBSCRIPTIONS}/mine`, { spec }, MERGE);
    expect((await edit({ serviceAccountName: null })).status).toBe(403);
    expect((await edit({ labelSelector: 'a' })).status).toBe(403);
    expect((await edit({ suspend: true })).status).toBe(200);
    await bind('using', { kind: 'User', name: 'jane' });
    expect((await edit({ labelSelector: 'a' })).status).toBe(200);
    expect((await statusOf(SUBSCRIPTIONS)).author).toMatchObject({ username: ROBOT });
    expect((await edit({ serviceAccountName: null })).status).toBe(200);
    expect((await statusOf(SUBSCRIPTIONS)).author).toMatchObject({ username: 'jane' });
  });

  it.each([
    ['an account that does not exist', 'nobody', 'Not found: "nobody"'],
    ['no name', '', 'must be the name of a service account'],
    ['a number', 7, 'must be the name of a service account'],
    ['no valid name', 'A_b', 'must be the name of a service account'],
  ])('serviceAccountName is refused for %s', async (_, serviceAccountName, message) => {
    for (const path of [SUBSCRIPTIONS, TALLIES]) {
      const { status, body } = await api.send('POST', path, asRobot('configmaps', { serviceAccountName }));
      expect([status, body.message]).toEqual([
        422,
        expect.stringMatching(new RegExp(`spec.serviceAccountName: .*${message}`)),
      ]);
      expect((await api.send('GET', `${path}/mine`)).status).toBe(404);
    }
  });

  it('serviceAccountName is refused before row schema version 3', async () => {
    await createRobot();
    await api.memory.world.table.put({ ...schemaKey, version: 2, from: 0 });
    const { status, body } = await api.send('POST', SUBSCRIPTIONS, asRobot());
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining(
        'spec.serviceAccountName needs row schema version 3. Ask an administrator to run: winnow upgrade --raise',
      ),
    ]);
    expect(
      (
        await api.send('POST', SUBSCRIPTIONS, {
          metadata: { name: 'x' },
          spec: { resource: { resource: 'pods' } },
        })
      ).status,
    ).toBe(201);
  });
});

describe('a Subscription without spec.serviceAccountName', () => {
  const plain = (resource: string): JsonObject => ({
    metadata: { name: 'mine' },
    spec: { resource: { resource } },
  });

  it.each([
    ['Subscription', SUBSCRIPTIONS],
    ['Tally', TALLIES],
  ])('a user who creates a %s gets a warning that names the field', async (_, path) => {
    await bind('seeing', { kind: 'User', name: 'jane' });
    const created = await api.as(JANE).send('POST', path, plain('configmaps'));
    expect(created.status).toBe(201);
    expect(created.headers.warning).toContain('spec.serviceAccountName');
    expect(created.headers.warning).toContain('jane');
    expect(
      (await api.send('POST', path, { ...plain('pods'), metadata: { name: 'other' } })).headers.warning,
    ).toBeUndefined();
  });

  it('a service account and an IAM principal get no warning', async () => {
    const uid = await createRobot();
    await bind('writing', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    await bind('seeing', { kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    const user = { username: ROBOT, uid, groups: ['system:authenticated'] };
    const bound = [{ resource: 'serviceaccounts', namespace: 'default', name: 'robot', uid }];
    const { status, headers } = await api.by({ user, bound }).send('POST', SUBSCRIPTIONS, plain('secrets'));
    expect([status, headers.warning]).toEqual([201, undefined]);
  });

  it('a user cannot subscribe to Secrets, and the message gives the remedy', async () => {
    await bind('seeing', { kind: 'User', name: 'jane' });
    const { status, body } = await api.as(JANE).send('POST', SUBSCRIPTIONS, plain('secrets'));
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('set spec.serviceAccountName to a service account of this namespace'),
    ]);
    const admin = { username: 'admin', groups: ['system:masters'] };
    const impersonation = { 'impersonate-user': ['jane'] };
    expect(
      (await api.by({ user: admin, impersonation }).send('POST', SUBSCRIPTIONS, plain('secrets'))).status,
    ).toBe(403);
    expect((await api.as(JANE).send('POST', TALLIES, plain('secrets'))).status).toBe(201);
    expect((await api.send('POST', SUBSCRIPTIONS, plain('secrets'))).status).toBe(201);
  });
});

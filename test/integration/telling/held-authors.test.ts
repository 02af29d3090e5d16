import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ENTRIES = '/apis/winnow.dev/v1/accessentries';
const SECRETS = '/api/v1/namespaces/default/secrets';
const MERGE = 'application/merge-patch+json';
const ROBOT = 'system:serviceaccount:default:robot';
const ARN = 'arn:aws:iam::111122223333:role/Deployers';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
  await api.memory.world.put('/default', {}, {}, 'core/namespaces');
  await api.ask('POST', ROLES, {
    metadata: { name: 'telling' },
    rules: [
      { apiGroups: ['winnow.dev'], resources: ['subscriptions', 'tallies'], verbs: ['*'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
    ],
  });
});

const bind = (subject: JsonObject) =>
  api.ask('POST', BINDINGS, {
    metadata: { name: `telling-${subject.kind}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'telling' },
    subjects: [subject],
  });

/** Creates the service account, and returns an API that uses a token of it. */
async function robot() {
  const { metadata } = await api.ask('POST', ACCOUNTS, { metadata: { name: 'robot' } });
  const uid = String((metadata as JsonObject).uid);
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'];
  const bound = [{ resource: 'serviceaccounts', namespace: 'default', name: 'robot', uid }];
  return { uid, ...api.by({ user: { username: ROBOT, uid, groups }, bound }) };
}

const deployer = () => api.by({ user: { username: ARN, groups: ['system:authenticated'] }, principal: ARN });

const subscription: JsonObject = {
  metadata: { name: 'mine' },
  spec: { resource: { resource: 'secrets' }, start: 'snapshot' },
};
const tally: JsonObject = { metadata: { name: 'mine' }, spec: { resource: { resource: 'secrets' } } };

const putSecret = (name: string) => api.ask('POST', SECRETS, { metadata: { name } });

/** The events in the queue of a Subscription since the last call. */
async function told(minutes = 2, name = 'mine') {
  await api.memory.minutes(minutes);
  const consumer = await api.memory.world.consume(name);
  return consumer.events.splice(0).map((event) => describeEvent(event).replace(/@.*/, ''));
}

const statusOf = async (path: string) => (await api.ask('GET', `${path}/mine`)).status as JsonObject;

async function authorized(path = SUBSCRIPTIONS) {
  const { conditions } = await statusOf(path);
  return (conditions as JsonObject[]).find(({ type }) => type === 'Authorized');
}

describe('a Subscription that a service account wrote', () => {
  beforeEach(async () => {
    await bind({ kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
  });

  it('a Subscription stores the uid of its service account', async () => {
    const { uid, ask } = await robot();
    await ask('POST', SUBSCRIPTIONS, subscription);
    expect((await statusOf(SUBSCRIPTIONS)).author).toMatchObject({ username: ROBOT, uid });
  });

  it('delivery stops when the account is deleted, also if one of the same name is created', async () => {
    const { uid, ask } = await robot();
    await putSecret('a');
    await ask('POST', SUBSCRIPTIONS, subscription);
    expect(await told()).toEqual(['ADDED default/a', 'BOOKMARK']);
    await api.ask('DELETE', `${ACCOUNTS}/robot`);
    await putSecret('b');
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
    expect(await authorized()).toMatchObject({
      status: 'False',
      reason: 'AuthorGone',
      message: `no changes are delivered: the service account default/robot with the uid ${uid} does not exist any more`,
    });
    const again = await robot();
    expect(again.uid).not.toBe(uid);
    await putSecret('c');
    expect(await told()).toEqual([]);
    expect(await authorized()).toMatchObject({ status: 'False', reason: 'AuthorGone' });
    // The new account may write its own Subscription.
    await again.ask('DELETE', `${SUBSCRIPTIONS}/mine`);
    await api.memory.minutes(2);
    await again.ask('POST', SUBSCRIPTIONS, subscription);
    expect(await told()).toEqual(['ADDED default/a', 'ADDED default/b', 'ADDED default/c', 'BOOKMARK']);
  });

  it('a snapshot during which the account is deleted is not sent', async () => {
    const { ask } = await robot();
    await putSecret('a');
    await ask('POST', SUBSCRIPTIONS, subscription);
    const { table } = api.memory.world;
    const { query } = table;
    let isDeleted = false;
    table.query = async (request, signal) => {
      if (!isDeleted && request.partition === 'object#core/secrets') {
        isDeleted = true;
        await api.ask('DELETE', `${ACCOUNTS}/robot`);
        await putSecret('late');
      }
      return query(request, signal);
    };
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
    expect(isDeleted).toBe(true);
  });

  it('a Subscription written by impersonation stores the current uid of the account', async () => {
    const { uid } = await robot();
    const impersonation = { 'impersonate-user': [ROBOT] };
    const admin = { username: 'admin', groups: ['system:masters'] };
    await api.by({ user: admin, impersonation }).ask('POST', SUBSCRIPTIONS, subscription);
    expect((await statusOf(SUBSCRIPTIONS)).author).toMatchObject({ username: ROBOT, uid });
  });

  it('a Subscription written as a missing account is refused', async () => {
    const admin = { username: 'admin', groups: ['system:masters'] };
    const impersonation = { 'impersonate-user': [ROBOT] };
    const { status, body } = await api
      .by({ user: admin, impersonation })
      .send('POST', SUBSCRIPTIONS, subscription);
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('the service account default/robot does not exist'),
    ]);
  });

  it('a change of labels by another user keeps the uid of the author', async () => {
    const { uid, ask } = await robot();
    await ask('POST', SUBSCRIPTIONS, subscription);
    await api.ask('PATCH', `${SUBSCRIPTIONS}/mine`, { metadata: { labels: { x: 'y' } } }, MERGE);
    expect((await statusOf(SUBSCRIPTIONS)).author).toMatchObject({ username: ROBOT, uid });
  });

  it('delivery stops a minute after the deletion of an account that a finalizer holds, like its tokens', async () => {
    const { ask } = await robot();
    await api.ask('PATCH', `${ACCOUNTS}/robot`, { metadata: { finalizers: ['a.b/c'] } }, MERGE);
    await ask('POST', SUBSCRIPTIONS, subscription);
    expect(await told()).toEqual(['BOOKMARK']);
    const { status } = await api.send('DELETE', `${ACCOUNTS}/robot`);
    expect(status).toBe(200);
    expect(metadataOf(await api.ask('GET', `${ACCOUNTS}/robot`)).deletionTimestamp).toBeDefined();
    expect(await told(3)).toEqual(['ERROR', 'BOOKMARK']);
    await putSecret('a');
    expect(await told()).toEqual([]);
  });
});

describe('a Tally that a service account wrote', () => {
  it('a Tally stops counting when the account is deleted, also if one of the same name is created', async () => {
    await bind({ kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
    const { ask } = await robot();
    await putSecret('a');
    await ask('POST', TALLIES, tally);
    await api.memory.minutes(2);
    expect((await statusOf(TALLIES)).count).toBe(1);
    await api.ask('DELETE', `${ACCOUNTS}/robot`);
    await robot();
    await api.memory.minutes(2);
    expect((await statusOf(TALLIES)).count).toBe(0);
    expect(await authorized(TALLIES)).toMatchObject({ status: 'False', reason: 'AuthorGone' });
  });
});

describe('a Subscription that an IAM principal wrote', () => {
  const entry = { metadata: { name: 'deployers' }, spec: { principal: ARN, groups: ['shop'] } };

  it('delivery stops when the AccessEntry is deleted, and continues with the groups of a new one', async () => {
    await bind({ kind: 'Group', name: 'shop' });
    // A principal without an entry has the permissions of its ARN, but the author no longer has these.
    await api.ask('POST', BINDINGS, {
      metadata: { name: 'by-arn' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'telling' },
      subjects: [{ kind: 'User', name: ARN }],
    });
    await api.ask('POST', ENTRIES, entry);
    await deployer().ask('POST', SUBSCRIPTIONS, subscription);
    await putSecret('a');
    expect(await told()).toContain('ADDED default/a');
    await api.ask('DELETE', `${ENTRIES}/deployers`);
    await putSecret('b');
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
    expect(await authorized()).toMatchObject({
      status: 'False',
      reason: 'AuthorGone',
      message: `no changes are delivered: no AccessEntry names ${ARN} any more`,
    });
    await api.ask('POST', ENTRIES, { ...entry, spec: { principal: ARN, groups: ['other'] } });
    expect(await authorized()).toMatchObject({ status: 'False' });
    await api.ask('PATCH', `${ENTRIES}/deployers`, { spec: { groups: ['shop'] } }, MERGE);
    expect(await told()).toContain('ADDED default/b');
  });

  it('a Subscription written without an AccessEntry uses the permissions of the ARN', async () => {
    await bind({ kind: 'User', name: ARN });
    await deployer().ask('POST', SUBSCRIPTIONS, subscription);
    await putSecret('a');
    expect(await told()).toContain('ADDED default/a');
    await api.ask('DELETE', `${BINDINGS}/telling-User`);
    await putSecret('b');
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
  });
});

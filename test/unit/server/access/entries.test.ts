import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ENTRIES = '/apis/winnow.dev/v1/accessentries';
const WHOAMI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYER = 'arn:aws:iam::111122223333:role/Deployer';
const OTHER = 'arn:aws:iam::111122223333:user/team/bob';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

let api: AccessApi;
let admin: Ask;
let deployer: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  admin = api.as(ADMIN);
  deployer = api.ofPrincipal(DEPLOYER);
});

const entry = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'winnow.dev/v1',
  kind: 'AccessEntry',
  metadata: { name },
  spec,
});

async function made(path: string, body: JsonObject): Promise<void> {
  const { status, body: answer } = await admin('POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

/** Gives a user or a group the permissions of a rule, everywhere. */
async function give(kind: 'User' | 'Group', who: string, rule: JsonObject): Promise<void> {
  const name = `${kind}-${who}`.toLowerCase().replaceAll('/', '-');
  await made(`${RBAC}/clusterroles`, { metadata: { name }, rules: [rule] });
  await made(`${RBAC}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind, name: who }],
  });
}

const LIST_PODS: JsonObject = { verbs: ['list', 'watch'], apiGroups: [''], resources: ['pods'] };
const statusOf = async (asked: ReturnType<Ask>) => (await asked).status;
const whoami = async (ask: Ask) => (await ask('POST', WHOAMI, {})).body.status.userInfo;

describe('The user of a principal', () => {
  it('A principal without an entry has its ARN as username, and may read discovery at most', async () => {
    expect(await whoami(deployer)).toEqual({
      username: DEPLOYER,
      groups: ['system:authenticated'],
      extra: { sessionName: ['alice'] },
    });
    expect(await statusOf(deployer('GET', '/apis'))).toBe(200);
    expect((await deployer('GET', PODS)).body.message).toContain(`User "${DEPLOYER}" cannot list`);
    await give('User', DEPLOYER, LIST_PODS);
    expect(await statusOf(deployer('GET', PODS))).toBe(200);
  });

  it('A principal with an entry is the user that the entry names, for any role path, from the next request on', async () => {
    await give('Group', 'shop', LIST_PODS);
    expect(await statusOf(deployer('GET', PODS))).toBe(403);
    const principal = 'arn:aws:iam::111122223333:role/team/Deployer';
    await made(ENTRIES, entry('deployer', { principal, username: 'jane', groups: ['shop'] }));
    expect(await statusOf(deployer('GET', PODS))).toBe(200);
    expect(await whoami(deployer)).toEqual({
      username: 'jane',
      groups: ['shop', 'system:authenticated'],
      extra: { sessionName: ['alice'], canonicalArn: [DEPLOYER] },
    });
    expect(await statusOf(api.ofPrincipal(OTHER)('GET', PODS))).toBe(403);
    await admin('DELETE', `${ENTRIES}/deployer`);
    expect(await statusOf(deployer('GET', PODS))).toBe(403);
  });

  it('An entry cannot give a username that only a login may give', async () => {
    await give('Group', 'shop', LIST_PODS);
    await made(ENTRIES, entry('deployer', { principal: DEPLOYER, groups: ['shop'] }));
    const named = api.as({ username: DEPLOYER, groups: ['system:authenticated'] });
    expect(await statusOf(named('GET', PODS))).toBe(403);
    expect((await whoami(deployer)).username).toBe(DEPLOYER);
  });

  it('A principal that is an administrator stays an administrator', async () => {
    await made(ENTRIES, entry('admin', { principal: DEPLOYER, username: 'jane' }));
    const ask = api.by({ user: { ...ADMIN, username: DEPLOYER }, principal: DEPLOYER });
    expect(await whoami(ask)).toMatchObject({ username: DEPLOYER, groups: ADMIN.groups });
  });

  it("A principal impersonates with the permissions of the entry's user, while they last", async () => {
    await give('User', 'jane', { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] });
    await give('User', 'bob', LIST_PODS);
    const asBob = { 'impersonate-user': ['bob'] };
    expect(await statusOf(api.ofPrincipal(DEPLOYER, asBob)('GET', PODS))).toBe(403);
    await made(ENTRIES, entry('deployer', { principal: DEPLOYER, username: 'jane' }));
    expect(await statusOf(api.ofPrincipal(DEPLOYER, asBob)('GET', PODS))).toBe(200);
  });

  it('A watch ends if the entry of its principal is deleted or names another user', async () => {
    await give('Group', 'shop', LIST_PODS);
    for (const takeAway of [
      () => admin('PUT', `${ENTRIES}/deployer`, entry('deployer', { principal: DEPLOYER, groups: ['none'] })),
      () => admin('DELETE', `${ENTRIES}/deployer`),
    ]) {
      await admin('DELETE', `${ENTRIES}/deployer`);
      await made(ENTRIES, entry('deployer', { principal: DEPLOYER, groups: ['shop'] }));
      const lines = await api.watch(DEPLOYER, `${PODS}?watch=true`);
      const over = (async () => {
        for await (const _line of lines);
      })();
      await api.clock.during(api.clock.sleep(TIMING.watchHeartbeat * 2));
      await takeAway();
      const before = api.clock.now();
      await api.clock.during(over);
      expect(api.clock.now() - before).toBeLessThanOrEqual(TIMING.watchHeartbeat + 2 * TIMING.watchPoll);
    }
  });
});

describe('The refusal of an entry', () => {
  it.each<[string, JsonObject, string]>([
    ['that names nobody', {}, 'spec.principal: Required value'],
    ['of what is no ARN', { principal: 'jane' }, 'spec.principal: Invalid value: "jane": is not the ARN'],
    ['of any role', { principal: 'arn:aws:iam::111122223333:role/*' }, 'is not the ARN'],
    [
      'of a session',
      { principal: 'arn:aws:sts::111122223333:assumed-role/Deployer/alice' },
      `anyone who may assume the role can choose its name. Use the role: ${DEPLOYER}`,
    ],
    [
      'of an account',
      { principal: 'arn:aws:iam::111122223333:root' },
      'must be the ARN of an IAM user or role',
    ],
    [
      'of a federated user',
      { principal: 'arn:aws:sts::111122223333:federated-user/bob' },
      'must be the ARN of an IAM user or role',
    ],
    [
      'that makes a master',
      { principal: DEPLOYER, groups: ['system:masters'] },
      'spec.groups[0]: Invalid value',
    ],
    [
      'that makes a part of the server',
      { principal: DEPLOYER, username: 'system:apiserver' },
      'spec.username:',
    ],
    ['with a name that is none', { principal: DEPLOYER, username: '' }, 'spec.username: Required value'],
    ['with a name of two lines', { principal: DEPLOYER, groups: ['a', 'b\nc'] }, 'spec.groups[1]: Invalid'],
    ['with a group twice', { principal: DEPLOYER, groups: ['a', 'a'] }, 'spec.groups[1]: Duplicate value'],
    ['with groups that are no list', { principal: DEPLOYER, groups: 'a' }, 'must be a list of names'],
    ['that says what is nothing', { principal: DEPLOYER, user: 'a' }, 'spec.user: Invalid value'],
  ])('%s', async (_what, spec, message) => {
    const { status, body } = await admin('POST', ENTRIES, entry('one', spec));
    expect([status, body.reason]).toEqual([422, 'Invalid']);
    expect(body.message).toContain(message);
  });

  it('A second entry for one principal is refused, also if both are written at once', async () => {
    await made(ENTRIES, entry('one', { principal: DEPLOYER }));
    const same = { principal: 'arn:aws:iam::111122223333:role/some/where/Deployer' };
    const { status, body } = await admin('POST', ENTRIES, entry('two', same));
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining('another AccessEntry already names this'),
    ]);
    await made(ENTRIES, entry('three', { principal: OTHER }));
    expect(await statusOf(admin('PUT', `${ENTRIES}/three`, entry('three', same)))).toBe(422);
    expect(await statusOf(admin('PUT', `${ENTRIES}/one`, entry('one', same)))).toBe(200);
    await admin('DELETE', `${ENTRIES}/one`);
    expect(await statusOf(admin('PUT', `${ENTRIES}/three`, entry('three', same)))).toBe(200);
    const free = { principal: OTHER };
    const both = ['four', 'five'].map((name) => statusOf(admin('POST', ENTRIES, entry(name, free))));
    expect((await Promise.all(both)).sort()).toEqual([201, 422]);
  });
});

describe('The writer of an entry', () => {
  const WRITE: JsonObject = { verbs: ['*'], apiGroups: ['winnow.dev'], resources: ['accessentries'] };
  const AS_JANE: JsonObject = {
    verbs: ['impersonate'],
    apiGroups: [''],
    resources: ['users', 'groups'],
    resourceNames: ['jane', 'shop'],
  };
  let joe: Ask;

  beforeEach(async () => {
    joe = api.as({ username: 'joe', groups: ['system:authenticated'] });
    await give('User', 'joe', WRITE);
  });

  it('A writer needs the permission to impersonate every identity that the entry names', async () => {
    const wanted = entry('one', { principal: DEPLOYER, username: 'jane', groups: ['shop'] });
    expect((await joe('POST', ENTRIES, wanted)).body.message).toBe(
      'users "jane" is forbidden: User "joe" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(await statusOf(joe('POST', ENTRIES, entry('one', { principal: DEPLOYER })))).toBe(201);
    expect(await statusOf(joe('PUT', `${ENTRIES}/one`, wanted))).toBe(403);
    await give('User', 'joe2', AS_JANE);
    const joe2 = api.as({ username: 'joe2', groups: ['joes', 'system:authenticated'] });
    await give('Group', 'joes', WRITE);
    expect(await statusOf(joe2('PUT', `${ENTRIES}/one`, wanted))).toBe(200);
    const more = entry('one', { principal: DEPLOYER, username: 'jane', groups: ['shop', 'more'] });
    expect((await joe2('PUT', `${ENTRIES}/one`, more)).body.message).toContain('groups "more" is forbidden');
  });

  it('A writer cannot move a name that another writer gave to another principal', async () => {
    await made(ENTRIES, entry('one', { principal: DEPLOYER, username: 'jane', groups: ['shop'] }));
    const patch = (body: JsonObject) =>
      statusOf(joe('PATCH', `${ENTRIES}/one`, body, 'application/merge-patch+json'));
    expect(await patch({ spec: { principal: OTHER } })).toBe(403);
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toBe(200);
    expect(await patch({ spec: { groups: null, username: null } })).toBe(200);
    expect(await patch({ spec: { principal: OTHER } })).toBe(200);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import { KNOWN_SCHEMAS, raiseSchema } from '../../../lib/store/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';

const GRANTS = '/apis/winnow.dev/v1/namespaces/default/accessgrants';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };
const KIM: UserInfo = { username: 'kim', groups: ['system:authenticated'] };

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
  await api.memory.world.put('/default', {}, {}, 'core/namespaces');
  const { ask } = api;
  const rule = (resources: string[], apiGroups: string[], verbs: string[]) => ({
    apiGroups,
    resources,
    verbs,
  });
  const role = (name: string, ...rules: JsonObject[]) => ask('POST', ROLES, { metadata: { name }, rules });
  await role('telling', rule(['subscriptions', 'subscriptions/status', 'tallies'], ['winnow.dev'], ['*']));
  await role('seeing', rule(['configmaps', 'events'], [''], ['get', 'list', 'watch']));
  await bind('telling', 'jane', 'kim');
});

const subjectsOf = (users: readonly string[]) => users.map((name) => ({ kind: 'User', name }));
const refTo = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });

function bind(role: string, ...users: readonly string[]) {
  const name = `${role}-${users.join('-')}`;
  return api.ask('POST', BINDINGS, { metadata: { name }, roleRef: refTo(role), subjects: subjectsOf(users) });
}

function grant(name: string, labelSelector: JsonObject, ...users: readonly string[]) {
  const granted = { roleRef: refTo('seeing'), subjects: subjectsOf(users), labelSelector };
  return api.ask('POST', GRANTS, { metadata: { name }, ...granted });
}

const put = async (name: string, labels: JsonObject) => {
  const body = { metadata: { name, labels } };
  const { status } = await api.send('POST', MAPS, body);
  if (status === 409) await api.ask('PUT', `${MAPS}/${name}`, body);
};

const subscription = (more: JsonObject = {}, name = 'mine'): JsonObject => ({
  metadata: { name },
  spec: { resource: { resource: 'configmaps' }, start: 'snapshot', ...more },
});

const tally = {
  metadata: { name: 'mine' },
  spec: { resource: { resource: 'configmaps' }, groupBy: ['team'] },
};

const TEAM_A = { matchLabels: { team: 'a' } };

/** The events of the consumer since the last call, and the set that it knows now. */
async function told(minutes = 2, name = 'mine') {
  await api.memory.minutes(minutes);
  const consumer = await api.memory.world.consume(name);
  const events = consumer.events.splice(0).map((event) => describeEvent(event).replace(/@.*/, ''));
  return { events, known: consumer.known.map((one) => one.replace(/@.*/, '')) };
}

const statusOf = async (path: string) => (await api.ask('GET', path)).status as JsonObject;

describe('a Subscription of a user with limited access', () => {
  it.each([
    [
      'a grant of one selector',
      [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] }],
    ],
    ['grants of several', [TEAM_A, { matchLabels: { team: 'b', app: 'web' } }]],
  ])('a Subscription delivers only visible objects, by %s', async (_, selectors) => {
    for (const [at, selector] of selectors.entries()) await grant(`g${at}`, selector, 'jane');
    await put('a', { team: 'a', app: 'web' });
    await put('c', { team: 'c', app: 'web' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    expect(await told()).toEqual({ events: ['ADDED default/a', 'BOOKMARK'], known: ['default/a'] });
    await put('b', { team: 'b', app: 'web' });
    await put('d', { team: 'c', app: 'web' });
    await put('a', { team: 'c', app: 'web' });
    expect(await told()).toEqual({ events: ['ADDED default/b', 'DELETED default/a'], known: ['default/b'] });
    await put('a', { team: 'a', app: 'db' });
    await api.as(JANE).ask('PATCH', `${SUBSCRIPTIONS}/mine`, { spec: { labelSelector: 'app=db' } }, MERGE);
    expect((await told()).known).toEqual(['default/a']);
    expect(api.memory.world.errors).toEqual([]);
  });

  it('the status names the author and the scope', async () => {
    await grant('a', TEAM_A, 'jane');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    await told();
    const status = await statusOf(`${SUBSCRIPTIONS}/mine`);
    expect(status).toMatchObject({
      phase: 'Synced',
      author: { username: 'jane', groups: ['system:authenticated'] },
      scope: ['team=a'],
    });
    expect((status.conditions as JsonObject[]).find(({ type }) => type === 'Authorized')).toMatchObject({
      status: 'True',
      reason: 'Scoped',
      message: 'delivery is limited to objects that the author, user "jane", may list and watch: team=a',
    });
  });

  it('a changed grant restarts the Subscription with the new scope', async () => {
    await grant('a', TEAM_A, 'jane');
    await put('a', { team: 'a' });
    await put('b', { team: 'b' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    expect((await told()).known).toEqual(['default/a']);
    await api.ask('PATCH', `${GRANTS}/a`, { labelSelector: { matchLabels: { team: 'b' } } }, MERGE);
    expect(await told()).toEqual({
      events: ['ERROR', 'ADDED default/b', 'BOOKMARK'],
      known: ['default/b'],
    });
  });

  it('delivery stops when the grant is deleted, without any request, and continues with a new grant', async () => {
    await grant('a', TEAM_A, 'jane');
    await put('a', { team: 'a' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    expect((await told()).known).toEqual(['default/a']);
    await api.ask('DELETE', `${GRANTS}/a`);
    await put('a', { team: 'a', app: 'web' });
    await put('b', { team: 'a' });
    expect(await told()).toEqual({ events: ['ERROR', 'BOOKMARK'], known: [] });
    const { conditions, scope } = await statusOf(`${SUBSCRIPTIONS}/mine`);
    expect(scope).toEqual([]);
    expect((conditions as JsonObject[]).find(({ type }) => type === 'Authorized')).toMatchObject({
      status: 'False',
      reason: 'Forbidden',
    });
    await grant('a', TEAM_A, 'jane');
    expect((await told()).known).toEqual(['default/a', 'default/b']);
  });

  it('changes after a revocation during the first snapshot are not sent', async () => {
    await grant('a', TEAM_A, 'jane');
    await put('a', { team: 'a' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    const { table } = api.memory.world;
    const { query } = table;
    let isRevoked = false;
    table.query = async (request, signal) => {
      if (!isRevoked && request.partition === 'object#core/configmaps') {
        isRevoked = true;
        await api.ask('DELETE', `${GRANTS}/a`);
        await put('late', { team: 'a' });
      }
      return query(request, signal);
    };
    expect(await told()).toEqual({ events: ['ERROR', 'BOOKMARK'], known: [] });
    expect(isRevoked).toBe(true);
  });

  it('delivery stops when the binding is deleted', async () => {
    await bind('seeing', 'jane');
    await put('a', { team: 'a' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    expect((await told()).known).toEqual(['default/a']);
    expect((await statusOf(`${SUBSCRIPTIONS}/mine`)).scope).toBeUndefined();
    await api.ask('DELETE', `${BINDINGS}/seeing-jane`);
    await put('b', { team: 'a' });
    expect(await told()).toEqual({ events: ['ERROR', 'BOOKMARK'], known: [] });
  });

  it("the last writer of the selection is the author: after an administrator's edit, all objects are delivered", async () => {
    await grant('a', TEAM_A, 'jane');
    await put('a', { team: 'a' });
    await put('b', { team: 'b' });
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    await told();
    const one = `${SUBSCRIPTIONS}/mine`;
    const suspend = (flag: boolean) => api.ask('PATCH', one, { spec: { suspend: flag } }, MERGE);
    await suspend(true);
    await told();
    await suspend(false);
    expect((await told()).known).toEqual(['default/a']);
    await api.ask('PATCH', one, { spec: { labelSelector: 'team' } }, MERGE);
    expect((await told()).known).toEqual(['default/a', 'default/b']);
    expect((await statusOf(one)).author).toBeUndefined();
  });

  it('a user with limited access cannot edit a Subscription of another author', async () => {
    await grant('a', TEAM_A, 'jane', 'kim');
    await api.ask('POST', SUBSCRIPTIONS, subscription());
    await api.as(KIM).ask('POST', SUBSCRIPTIONS, subscription({}, 'hers'));
    const edit = (name: string) =>
      api.as(JANE).send('PATCH', `${SUBSCRIPTIONS}/${name}`, { spec: { labelSelector: 'x' } }, MERGE);
    for (const [name, owner] of [
      ['mine', 'a user with full access'],
      ['hers', 'user "kim"'],
    ] as const) {
      const { status, body } = await edit(name);
      expect([status, body.message]).toEqual([
        403,
        expect.stringContaining(`, and ${owner} owns this Subscription; create your own`),
      ]);
    }
    const labels = await api
      .as(JANE)
      .send('PATCH', `${SUBSCRIPTIONS}/mine`, { metadata: { labels: { x: 'y' } } }, MERGE);
    expect(labels.status).toBe(200);
    expect((await statusOf(`${SUBSCRIPTIONS}/mine`)).author).toBeUndefined();
  });

  it('a client cannot set the author', async () => {
    await grant('a', TEAM_A, 'jane');
    const forged = { author: { username: 'root', groups: ['system:masters'] } };
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, { ...subscription(), status: forged });
    const one = `${SUBSCRIPTIONS}/mine`;
    expect((await statusOf(one)).author).toEqual({ username: 'jane', groups: ['system:authenticated'] });
    const own = await api.as(JANE).send('PATCH', `${one}/status`, { status: forged }, MERGE);
    expect(own.status).toBe(200);
    const status = await api.send('PATCH', `${one}/status`, { status: forged }, MERGE);
    expect(status.status).toBe(200);
    // No field manager owns the author.
    expect(JSON.stringify(status.body.metadata)).not.toContain('f:author');
    await api.ask('PATCH', `${one}/status`, { status: { author: null } }, MERGE);
    expect((await statusOf(one)).author).toEqual({ username: 'jane', groups: ['system:authenticated'] });
  });

  it.each<readonly [string, string, string, string, (known: JsonObject) => unknown]>([
    ['a status of null', 'PATCH', '/status', MERGE, () => ({ status: null })],
    ['an empty status', 'PATCH', '/status', MERGE, () => ({ status: { author: null, scope: null } })],
    [
      'a status that is taken away',
      'PATCH',
      '/status',
      JSON_PATCH,
      () => [{ op: 'remove', path: '/status' }],
    ],
    [
      'an author that is taken away',
      'PATCH',
      '/status',
      JSON_PATCH,
      () => [{ op: 'remove', path: '/status/author' }],
    ],
    [
      'a PUT of its status without one',
      'PUT',
      '/status',
      'application/json',
      ({ status: _, ...known }) => known,
    ],
    ['a PUT without a status', 'PUT', '', 'application/json', ({ status: _, ...known }) => known],
    ['a status of null beside its metadata', 'PATCH', '', MERGE, () => ({ status: null })],
  ])('the author stays after a write of %s', async (_, method, path, type, sent) => {
    await grant('a', TEAM_A, 'jane');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, subscription());
    const one = `${SUBSCRIPTIONS}/mine`;
    for (const who of [api.as(JANE), api]) {
      const answer = await who.send(
        method,
        `${one}${path}`,
        sent(await api.ask('GET', one)) as JsonObject,
        type,
      );
      expect(answer.status).toBe(200);
      expect((await statusOf(one)).author).toEqual({ username: 'jane', groups: ['system:authenticated'] });
    }
  });

  it('a Subscription with a scope is refused while releases without scopes may use the table', async () => {
    await grant('a', TEAM_A, 'jane');
    const { world, clock } = api.memory;
    await world.table.delete(schemaKey);
    const subscribe = () => api.as(JANE).send('POST', SUBSCRIPTIONS, subscription());
    const raised = 'Subscriptions limited to some objects need row schema version 2';
    expect((await subscribe()).body.message).toContain(raised);
    const { from } = await raiseSchema({ table: world.table, clock, known: KNOWN_SCHEMAS });
    expect((await subscribe()).status).toBe(403);
    expect((await api.as(JANE).send('POST', TALLIES, tally)).status).toBe(403);
    expect((await api.send('POST', SUBSCRIPTIONS, subscription({}, 'everything'))).status).toBe(201);
    clock.advance(from - clock.now());
    expect((await subscribe()).status).toBe(201);
    expect((await api.as(JANE).send('POST', TALLIES, tally)).status).toBe(201);
  });

  it('a Subscription is refused without permission to list and watch, and for Events', async () => {
    const ask = (resource: string) =>
      api.as(JANE).send('POST', SUBSCRIPTIONS, subscription({ resource: { resource } }));
    expect((await ask('configmaps')).body.message).toContain('cannot list resource "configmaps"');
    await grant('a', TEAM_A, 'jane');
    const { status, body } = await ask('events');
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining('Events cannot be selected by labels'),
    ]);
    const all = subscription({ namespaces: 'All' });
    expect((await api.as(JANE).send('POST', SUBSCRIPTIONS, all)).status).toBe(403);
  });
});

describe('a Tally of a user with limited access', () => {
  const counted = async () => {
    await api.memory.minutes(2);
    const { count, groups } = await statusOf(`${TALLIES}/mine`);
    return { count, teams: (groups as JsonObject[]).map(({ labels }) => (labels as JsonObject).team) };
  };

  it('a Tally counts only visible objects, as grants change', async () => {
    await grant('a', TEAM_A, 'jane');
    await put('a', { team: 'a' });
    await put('b', { team: 'b' });
    await api.as(JANE).ask('POST', TALLIES, tally);
    expect(await counted()).toEqual({ count: 1, teams: ['a'] });
    await put('c', { team: 'a' });
    await put('d', { team: 'b' });
    expect(await counted()).toEqual({ count: 2, teams: ['a'] });
    await grant('b', { matchLabels: { team: 'b' } }, 'jane');
    expect(await counted()).toEqual({ count: 4, teams: ['a', 'b'] });
    await api.ask('DELETE', `${GRANTS}/a`);
    await put('e', { team: 'b' });
    expect(await counted()).toEqual({ count: 3, teams: ['b'] });
    await api.ask('DELETE', `${GRANTS}/b`);
    expect(await counted()).toEqual({ count: 0, teams: [] });
    expect(api.memory.world.errors).toEqual([]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../../lib/server/index.ts';
import { storeWith } from '../../../../../lib/server/registry/index.ts';
import { AccessApi, type Ask } from '../../../../support/service/access-api.ts';
import { createMemoryApi } from '../../../../support/service/memory-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const WINNOW = '/apis/winnow.dev/v1';
const DEFAULT = '/api/v1/namespaces/default';
const MAPS = `${DEFAULT}/configmaps`;
const MERGE = 'application/merge-patch+json';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

let api: AccessApi;
let admin: Ask;
let jane: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  [admin, jane] = [api.as(ADMIN), api.as(JANE)];
});

async function done(...[method, path, body, type]: Parameters<Ask>): Promise<JsonObject> {
  const answer = await admin(method, path, body, type);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const map = (name: string, labels: JsonObject = {}) => ({ metadata: { name, labels }, data: { a: '1' } });
const make = (name: string, labels: JsonObject = {}) => done('POST', MAPS, map(name, labels));
const label = (name: string, labels: JsonObject) =>
  done('PATCH', `${MAPS}/${name}`, { metadata: { labels } }, MERGE);
const change = (name: string, a: string) => done('PATCH', `${MAPS}/${name}`, { data: { a } }, MERGE);

const bound = (name: string, role: string) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
});
const bind = (role: string) => done('POST', `${RBAC}/namespaces/default/rolebindings`, bound('jane', role));
const grant = (role: string, matchLabels: JsonObject) =>
  done('POST', `${WINNOW}/clusteraccessgrants`, { ...bound('jane', role), labelSelector: { matchLabels } });

const historiesOf = (resource: string, more = '') =>
  `${WINNOW}/namespaces/default/histories?fieldSelector=resource%3D${resource}${more}`;
const told = ({ status, body }: Awaited<ReturnType<Ask>>) =>
  status === 200
    ? body.items.map(({ type, metadata }: JsonObject) => `${type} ${(metadata as JsonObject).name}`)
    : status;

describe('The right to read history', () => {
  it('a user without the right is refused in the words of Kubernetes', async () => {
    await make('m');
    expect((await jane('GET', `${MAPS}/m/history`)).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "m" is forbidden: User "jane" cannot get resource "configmaps/history" in API group "" in the namespace "default"',
    });
    expect((await jane('GET', historiesOf('configmaps'))).body.message).toBe(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps/history" in API group "" in the namespace "default"',
    );
    expect(
      (await jane('GET', `${WINNOW}/histories?fieldSelector=resource%3Ddeployments.apps`)).body.message,
    ).toBe(
      'deployments.apps is forbidden: User "jane" cannot list resource "deployments/history" in API group "apps" at the cluster scope',
    );
    expect((await jane('GET', `${WINNOW}/histories`)).body.code).toBe(400);
  });

  it('the right to read objects is not enough, and one right does not give the other', async () => {
    await make('m');
    const rule = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: [''], resources });
    const rules = [rule(['*'], ['configmaps']), rule(['get'], ['configmaps/history'])];
    await done('POST', `${RBAC}/clusterroles`, { metadata: { name: 'getter' }, rules });
    await bind('getter');
    expect(told(await jane('GET', `${MAPS}/m/history`))).toEqual(['Created m']);
    expect(told(await jane('GET', historiesOf('configmaps')))).toBe(403);
  });

  it.each(['view', 'edit', 'admin'])(
    'the role %s gives history of what it lets read, except Secrets',
    async (role) => {
      await make('m');
      await done('POST', `${DEFAULT}/secrets`, { metadata: { name: 's' } });
      await bind(role);
      expect(told(await jane('GET', `${MAPS}/m/history`))).toEqual(['Created m']);
      expect(told(await jane('GET', historiesOf('configmaps')))).toEqual(['Created m']);
      expect(told(await jane('GET', `${DEFAULT}/secrets/s/history`))).toBe(403);
      expect(told(await jane('GET', historiesOf('secrets')))).toBe(403);
      expect(told(await jane('GET', historiesOf('leases.coordination.k8s.io')))).toEqual(
        role === 'view' ? 403 : [],
      );
      expect(told(await jane('GET', historiesOf('roles.rbac.authorization.k8s.io')))).toEqual(
        role === 'admin' ? [] : 403,
      );
      expect(told(await jane('GET', historiesOf('nodes')))).toBe(403);
      expect(told(await jane('GET', `${WINNOW}/histories?fieldSelector=resource%3Dconfigmaps`))).toBe(403);
    },
  );

  it('an access review knows the subresource', async () => {
    await bind('edit');
    const allowed = async (resource: string) => {
      const resourceAttributes = { verb: 'get', resource, subresource: 'history', namespace: 'default' };
      return (await done('POST', REVIEWS, { spec: { user: 'jane', resourceAttributes } })).status;
    };
    expect([await allowed('secrets'), await allowed('pods')]).toMatchObject([
      { allowed: false },
      { allowed: true },
    ]);
  });

  it('an administrator who impersonates a user has the rights of that user', async () => {
    await make('m');
    const asJane = api.by({ user: ADMIN, impersonation: { 'impersonate-user': ['jane'] } });
    expect(told(await asJane('GET', historiesOf('configmaps')))).toBe(403);
    await bind('view');
    expect(told(await asJane('GET', historiesOf('configmaps')))).toEqual(['Created m']);
  });
});

describe('History for a user with limited access', () => {
  beforeEach(async () => {
    await grant('view', { team: 'a' });
  });

  it('an object shows its history as far as the user may see it', async () => {
    await make('m', { team: 'b' });
    await label('m', { team: 'a' });
    await change('m', '2');
    const { body } = await jane('GET', `${MAPS}/m/history?states=true`);
    expect([body.end, body.items.length]).toEqual(['NotVisible', 2]);
    const [updated, entered] = body.items;
    expect(updated).toMatchObject({ type: 'Updated', user: 'admin', manager: 'test' });
    expect(updated.previousResourceVersion).toBe(entered.resourceVersion);
    expect(Object.keys(entered).sort()).toEqual(
      [
        'after',
        'apiVersion',
        'kind',
        'metadata',
        'object',
        'patch',
        'resourceVersion',
        'time',
        'type',
      ].sort(),
    );
    expect(entered).toMatchObject({ type: 'Created', after: { data: { a: '1' } } });
    expect(entered.patch).toEqual([{ op: 'add', path: '', value: expect.anything() }]);
    expect(JSON.stringify(body)).not.toMatch(/"b"/);
  });

  it('a hidden object, a deleted one and a missing one have no history', async () => {
    await make('hidden', { team: 'b' });
    await make('gone', { team: 'a' });
    await done('DELETE', `${MAPS}/gone`);
    for (const name of ['hidden', 'gone', 'none']) {
      const { status, body } = await jane('GET', `${MAPS}/${name}/history`);
      expect([status, body.message]).toEqual([404, `configmaps "${name}" not found`]);
    }
  });

  it('history ends at the create, whatever was deleted before', async () => {
    await make('m', { team: 'a' });
    await done('DELETE', `${MAPS}/m`);
    await make('m', { team: 'a' });
    const { body } = await jane('GET', `${MAPS}/m/history`);
    expect([body.items.length, body.end, body.metadata.continue]).toEqual([1, 'Created', undefined]);
  });

  it('the collection shows what enters and leaves the scope as created and deleted', async () => {
    await make('mine', { team: 'a' });
    await make('theirs', { team: 'b' });
    await label('theirs', { team: 'a' });
    await label('mine', { team: 'b' });
    await change('mine', 'secret');
    await done('DELETE', `${MAPS}/mine`);
    await done('DELETE', `${MAPS}/theirs`);
    const { body } = await jane('GET', historiesOf('configmaps'));
    expect(told({ status: 200, body })).toEqual([
      'Deleted theirs',
      'Deleted mine',
      'Created theirs',
      'Created mine',
    ]);
    expect(body.end).toBe('NotVisible');
    expect(body.items.map(({ user }: JsonObject) => user)).toEqual(['admin', undefined, undefined, 'admin']);
    expect(body.items[1].patch).toEqual([{ op: 'remove', path: '' }]);
    const set = await jane('GET', historiesOf('configmaps', '&labelSelector=team'));
    expect(told(set)).toEqual(['Left theirs', 'Left mine', 'Entered theirs', 'Entered mine']);
    expect(told(await jane('GET', historiesOf('configmaps', '&labelSelector=team%3Db')))).toEqual([]);
  });

  it('a page has continue only if a visible change follows', async () => {
    await make('x', { team: 'b' });
    await make('mine', { team: 'a' });
    for (let at = 0; at < 5; at += 1) await change('x', `${at}`);
    await change('mine', '2');
    await change('x', 'y');
    const first = await jane('GET', historiesOf('configmaps', '&limit=1'));
    expect(told(first)).toEqual(['Updated mine']);
    const token = first.body.metadata.continue;
    expect(Object.keys(JSON.parse(Buffer.from(token, 'base64url').toString()))).toEqual(['sealed']);
    const last = await jane('GET', historiesOf('configmaps', `&limit=1&continue=${token}`));
    expect(told(last)).toEqual(['Created mine']);
    expect([last.body.metadata.continue, last.body.end]).toEqual([undefined, 'NotVisible']);
  });

  it('neither the time of an answer nor the length of its token tells of hidden objects', async () => {
    await make('deleted', { team: 'b' });
    await done('DELETE', `${MAPS}/deleted`);
    for (const name of ['alone', 'deleted']) await make(name, { team: 'a' });
    for (const name of ['alone', 'deleted']) await change(name, '2');
    const first = async (name: string) =>
      (await jane('GET', `${MAPS}/${name}/history?limit=1`)).body.metadata;
    const tokens = [(await first('alone')).continue, (await first('deleted')).continue];
    expect(tokens[0]).toHaveLength(tokens[1].length);

    await make('hidden', { team: 'b' });
    for (let number = 0; number < 5; number += 1) await change('hidden', `${number}`);
    const took = async (name: string) => {
      const began = api.clock.now();
      expect((await jane('GET', `${MAPS}/${name}/history`)).status).toBe(404);
      return api.clock.now() - began;
    };
    expect(await took('hidden')).toBe(await took('missing'));
  });

  it('a token of another caller, or of other rights, is refused', async () => {
    for (const a of ['1', '2', '3']) await (a === '1' ? make('mine', { team: 'a' }) : change('mine', a));
    const open = (await admin('GET', historiesOf('configmaps', '&limit=1'))).body.metadata.continue;
    const sealed = (await jane('GET', historiesOf('configmaps', '&limit=1'))).body.metadata.continue;
    const withToken = async (ask: Ask, token: string) =>
      told(await ask('GET', historiesOf('configmaps', `&limit=1&continue=${token}`)));
    expect([await withToken(jane, open), await withToken(admin, sealed)]).toEqual([410, 410]);
    expect(await withToken(jane, sealed)).toEqual(['Updated mine']);
    await done(
      'PATCH',
      `${WINNOW}/clusteraccessgrants/jane`,
      { labelSelector: { matchLabels: { team: 'a', x: 'y' } } },
      MERGE,
    );
    expect(await withToken(jane, sealed)).toBe(410);
  });

  it('history of Events is refused', async () => {
    const { status, body } = await jane('GET', historiesOf('events'));
    expect([status, body.message]).toEqual([
      403,
      'events is forbidden: history of Events is not available to users whose access is limited to objects that match team=a',
    ]);
  });

  it('the default view and all=true agree on what is visible', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await done('POST', `${DEFAULT}/pods`, { metadata: { name: 'p', labels: { team: 'a' } }, spec });
    await done('PATCH', `${DEFAULT}/pods/p/status`, { status: { phase: 'Running' } }, MERGE);
    expect(told(await jane('GET', `${DEFAULT}/pods/p/history`))).toEqual(['Created p']);
    expect(told(await jane('GET', `${DEFAULT}/pods/p/history?all=true`))).toEqual(['Updated p', 'Created p']);
  });

  it('a search ends after a fixed time, and not after a number of hidden changes', async () => {
    const { memory, ask } = await createMemoryApi();
    const asked: number[] = [];
    const store = storeWith(memory.world.store, () => ({
      changesBack: async (_collection, { entries, upTo = 0 }) => {
        asked.push(entries);
        slow.memory.clock.advance(1_000);
        return { changes: [], next: upTo };
      },
    }));
    const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
    await ask('POST', `${RBAC}/clusterroles`, { metadata: { name: 'all' }, rules });
    const labelSelector = { matchLabels: { team: 'a' } };
    await ask('POST', `${WINNOW}/clusteraccessgrants`, { ...bound('jane', 'all'), labelSelector });
    const slow = await createMemoryApi(1, undefined, { store });
    const { items, end, metadata } = await slow.as(JANE).ask('GET', historiesOf('configmaps'));
    expect([items, end, asked.length]).toEqual([[], undefined, 10]);
    expect((metadata as JsonObject).continue).toBeDefined();
  });
});

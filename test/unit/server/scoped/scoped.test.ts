import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { TIMING } from '../../../../lib/platform/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { AccessApi, type Ask } from '../../../support/service/access-api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const WINNOW = '/apis/winnow.dev/v1';
const DEFAULT = '/api/v1/namespaces/default';
const PODS = `${DEFAULT}/pods`;
const MERGE = 'application/merge-patch+json';

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

let api: AccessApi;
let admin: Ask;
let jane: Ask;

beforeEach(async () => {
  api = await AccessApi.create();
  admin = api.as(ADMIN);
  jane = api.as(JANE);
  const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  await make(`${RBAC}/clusterroles`, { metadata: { name: 'all' }, rules });
  await grant('team-a', { team: 'a' });
});

async function make(path: string, body: JsonObject): Promise<void> {
  const { status, body: answer } = await admin('POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

const bound = (name: string) => ({
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all' },
  subjects: [{ kind: 'User', name: 'jane' }],
});

const grant = (name: string, matchLabels: JsonObject) =>
  make(`${WINNOW}/clusteraccessgrants`, { ...bound(name), labelSelector: { matchLabels } });

const pod = (name: string, labels: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  metadata: { name, labels, ...more },
  spec: podSpec(),
});

/** Pods of teams: p0, p1, … */
async function makePods(...teams: string[]): Promise<void> {
  for (const [at, team] of teams.entries()) await make(PODS, pod(`p${at}`, { team }));
}

const namesOf = async (asked: ReturnType<Ask>): Promise<string[]> =>
  (await asked).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

describe('A user with limited access', () => {
  it('The user gets 404 for hidden objects', async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    expect((await jane('GET', `${PODS}/mine`)).status).toBe(200);
    const asked: Parameters<Ask>[] = [
      ['GET', `${PODS}/X`],
      ['GET', `${PODS}/X/status`],
      ['GET', `${PODS}/X/log`],
      ['GET', `${PODS}/X/selectedby`],
      ['PUT', `${PODS}/X`, pod('X')],
      ['PATCH', `${PODS}/X`, {}, MERGE],
      ['PATCH', `${PODS}/X/status`, {}, MERGE],
      ['DELETE', `${PODS}/X`],
      ['POST', `${PODS}/X/eviction`, { metadata: { name: 'X' } }],
      ['POST', `${PODS}/X/binding`, { metadata: { name: 'X' }, target: { name: 'n' } }],
      ['POST', `${DEFAULT}/bindings`, { metadata: { name: 'X' }, target: { name: 'n' } }],
    ];
    for (const one of asked) {
      const text = JSON.stringify(one);
      const answers = ['theirs', 'nobody'].map(async (name) => {
        const answer = await jane(...(JSON.parse(text.replaceAll('X', name)) as Parameters<Ask>));
        return JSON.stringify(answer).replaceAll(name, 'X');
      });
      const [theirs, nobody] = await Promise.all(answers);
      expect([one, theirs]).toEqual([one, nobody]);
      expect(JSON.parse(theirs ?? '').status).toBe(404);
    }
    expect((await admin('GET', `${PODS}/theirs`)).body.metadata.deletionTimestamp).toBe(undefined);
  });

  it('The user lists and counts the objects of all grants', async () => {
    await makePods('a', 'b', 'c', 'a', 'b');
    expect(await namesOf(jane('GET', PODS))).toEqual(['p0', 'p3']);
    expect(await namesOf(jane('GET', `${PODS}?labelSelector=team%3Db`))).toEqual([]);
    await grant('team-b', { team: 'b' });
    expect(await namesOf(jane('GET', `${PODS}?sortBy=-team`))).toEqual(['p1', 'p4', 'p0', 'p3']);
    const { body } = await jane('GET', `${PODS}?facets=team`);
    expect([body.count, body.facets[0].values]).toEqual([
      4,
      [
        { value: 'a', count: 2 },
        { value: 'b', count: 2 },
      ],
    ]);
    expect((await jane('GET', `${PODS}?explain=header`)).status).toBe(403);
    await admin('DELETE', `${WINNOW}/clusteraccessgrants/team-a`);
    expect(await namesOf(jane('GET', PODS))).toEqual(['p1', 'p4']);
  });

  it('The user does not learn whether and how many hidden objects follow', async () => {
    await makePods('a', 'a', 'b');
    const last = await jane('GET', `${PODS}?limit=2`);
    expect(last.body.metadata).toEqual({ resourceVersion: expect.any(String) });
    const { metadata } = (await jane('GET', `${PODS}?limit=1`)).body;
    expect(metadata).toEqual({ resourceVersion: expect.any(String), continue: expect.any(String) });
    expect(await namesOf(jane('GET', `${PODS}?limit=1&continue=${metadata.continue}`))).toEqual(['p1']);
  });

  it('The user continues with pages of visible objects only', async () => {
    await makePods('a', 'a', 'b');
    const tokenOf = async (ask: Ask) => (await ask('GET', `${PODS}?limit=1`)).body.metadata.continue;
    const goOn = async (ask: Ask, token: string) =>
      (await ask('GET', `${PODS}?limit=1&continue=${token}`)).status;
    const [own, open] = [await tokenOf(jane), await tokenOf(admin)];
    expect(Buffer.from(own, 'base64url').toString()).not.toContain('p0');
    expect([await goOn(jane, own), await goOn(admin, open)]).toEqual([200, 200]);
    expect([await goOn(jane, open), await goOn(admin, own)]).toEqual([410, 410]);
    await grant('team-b', { team: 'b' });
    expect(await goOn(jane, own)).toBe(410);
  });

  it('The user writes objects that are visible before and after', async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    const refused = await jane('POST', PODS, pod('new', { team: 'b' }));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'pods "new" is forbidden: User "jane" can create resource "pods" in API group "" in the namespace "default" only with labels that match team=a',
    ]);
    const labels = (team: string) => ({ metadata: { labels: { team } } });
    expect((await jane('PATCH', `${PODS}/mine`, labels('b'), MERGE)).status).toBe(403);
    expect((await jane('POST', PODS, pod('new', { team: 'a' }))).status).toBe(201);
    expect((await jane('POST', PODS, pod('theirs', { team: 'a' }))).body.reason).toBe('AlreadyExists');
    const apply = `${PODS}/theirs?fieldManager=jane&force=true`;
    const applied = { apiVersion: 'v1', kind: 'Pod', ...pod('theirs', { team: 'a' }) };
    expect((await jane('PATCH', apply, applied, 'application/apply-patch+yaml')).status).toBe(409);
    expect((await jane('DELETE', PODS)).status).toBe(200);
    expect(await namesOf(admin('GET', PODS))).toEqual(['theirs']);
  });

  it('The user creates a missing object by PUT, but no object outside the scope', async () => {
    const services = `${DEFAULT}/services`;
    const service = (team: string) => ({
      metadata: { name: 'web', labels: { team } },
      spec: { ports: [{ port: 1 }] },
    });
    expect((await jane('PUT', `${services}/web`, service('b'))).status).toBe(403);
    expect((await jane('PUT', `${services}/web`, service('a'))).status).toBe(201);
    await admin('PATCH', `${services}/web`, { metadata: { labels: { team: 'b' } } }, MERGE);
    expect((await jane('PUT', `${services}/web`, service('a'))).status).toBe(409);
  });

  it("The user's watch shows objects that enter and leave the scope", async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    const { metadata } = (await jane('GET', PODS)).body;
    const relabel = (name: string, team: string) =>
      admin('PATCH', `${PODS}/${name}`, { metadata: { labels: { team } } }, MERGE);
    await relabel('theirs', 'a');
    await relabel('mine', 'b');
    await relabel('mine', 'c');
    const lines: string[] = [];
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`;
    await api.clock.during(
      (async () => {
        for await (const line of await api.watch(JANE, `${PODS}?${query}`)) {
          if (line !== '\n') lines.push(line);
        }
      })(),
    );
    const told = lines
      .map((line) => JSON.parse(line))
      .map(({ type, object }) => [type, object.metadata.name]);
    expect(told).toEqual([
      ['ADDED', 'theirs'],
      ['DELETED', 'mine'],
    ]);
  });

  it('The user gets 410 at the end of a watch if the visible objects changed, and otherwise nothing', async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    const { metadata } = (await jane('GET', PODS)).body;
    const query = `watch=true&timeoutSeconds=8&resourceVersion=${metadata.resourceVersion}`;
    const watched = async (meanwhile: () => Promise<void>) => {
      const told: JsonObject[] = [];
      const over = (async () => {
        for await (const line of await api.watch(JANE, `${PODS}?${query}`)) told.push(JSON.parse(line));
      })();
      await api.clock.during(api.clock.sleep(4_000));
      await meanwhile();
      await api.during(over);
      return told;
    };
    expect(await watched(async () => {})).toEqual([]);
    const gone = { type: 'ERROR', object: expect.objectContaining({ code: 410, reason: 'Expired' }) };
    expect(await watched(() => grant('team-b', { team: 'b' }))).toEqual([gone]);
    expect(await watched(async () => {})).toEqual([]);
  });

  it('The user sees the Events of visible objects', async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    const events = `${DEFAULT}/events`;
    const about = (name: string) => ({
      metadata: { name: `${name}.1`, namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace: 'default' },
      reason: 'Told',
      type: 'Normal',
    });
    for (const name of ['mine', 'theirs', 'nobody']) await make(events, about(name));
    expect(await namesOf(jane('GET', events))).toEqual(['mine.1']);
    expect(await namesOf(jane('GET', '/apis/events.k8s.io/v1/events'))).toEqual(['mine.1']);
    expect((await jane('GET', `${events}/theirs.1`)).status).toBe(404);
    expect((await jane('GET', `${events}/mine.1`)).status).toBe(200);
    const more = (name: string) => ({ ...about(name), metadata: { name: `${name}.2` } });
    expect((await jane('POST', events, more('theirs'))).status).toBe(403);
    expect((await jane('POST', events, more('mine'))).status).toBe(201);
    const last = await jane('GET', `${events}?limit=2`);
    expect(last.body.metadata.continue).toBe(undefined);
    await admin('PATCH', `${PODS}/mine`, { metadata: { labels: { team: 'b' } } }, MERGE);
    expect(await namesOf(jane('GET', events))).toEqual([]);
  });

  it("The user's watch of Events is authorized again while only hidden ones arrive", async () => {
    await make(PODS, pod('theirs', { team: 'b' }));
    const lines = (await api.watch(JANE, `${DEFAULT}/events?watch=true`))[Symbol.asyncIterator]();
    const ended = lines.next();
    expect((await admin('DELETE', `${WINNOW}/clusteraccessgrants/team-a`)).status).toBe(200);
    const began = api.clock.now();
    const involvedObject = { apiVersion: 'v1', kind: 'Pod', name: 'theirs', namespace: 'default' };
    for (let at = 0; at < 4; at += 1) {
      await api.clock.during(api.clock.sleep(TIMING.watchHeartbeat * 0.75));
      await make(`${DEFAULT}/events`, {
        metadata: { name: `e${at}` },
        involvedObject,
        reason: 'r',
        type: 'Normal',
      });
    }
    const whole = await api.during(ended);
    expect(whole.done).toBe(true);
    expect(api.clock.now() - began).toBeLessThan(TIMING.watchHeartbeat * 3.5);
  });

  it('The user gets only selectors of visible objects', async () => {
    await make(PODS, pod('mine', { team: 'a', app: 'web' }));
    await make(PODS, pod('theirs', { team: 'b', app: 'web' }));
    const service = (name: string, team: string) => ({
      metadata: { name, labels: { team } },
      spec: { selector: { app: 'web' }, ports: [{ port: 1 }] },
    });
    await make(`${DEFAULT}/services`, service('my-web', 'a'));
    await make(`${DEFAULT}/services`, service('their-web', 'b'));
    expect(await namesOf(jane('GET', `${PODS}/mine/selectedby`))).toEqual(['my-web']);
    expect(await namesOf(jane('GET', `${DEFAULT}/services/my-web/selected`))).toEqual(['mine']);
    expect((await jane('GET', `${DEFAULT}/services/their-web/selected`)).status).toBe(404);
    const spec = { resource: { resource: 'pods' }, namespace: 'default', labels: { app: 'web' } };
    const review = await jane('POST', `${WINNOW}/selectionreviews`, { spec });
    expect(review.body.status.selectedBy.map(({ metadata }: JsonObject) => metadata)).toMatchObject([
      { name: 'my-web' },
    ]);
  });

  it('The user sees only listable members of a selection, for every carrier', async () => {
    await admin('DELETE', `${WINNOW}/clusteraccessgrants/team-a`);
    await make(`${WINNOW}/namespaces/default/accessgrants`, {
      ...bound('pods'),
      labelSelector: { matchLabels: { team: 'a' } },
    });
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['services', 'services/selected'] }];
    await make(`${RBAC}/clusterroles`, { metadata: { name: 'services' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'services' };
    const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'User', name: 'jane' }];
    await make(`${RBAC}/clusterrolebindings`, { metadata: { name: 'services' }, roleRef, subjects });
    await make(PODS, pod('mine', { team: 'a', app: 'web' }));
    await make(PODS, pod('theirs', { team: 'b', app: 'web' }));
    const spec = { selector: { app: 'web' }, ports: [{ port: 1 }] };
    await make(`${DEFAULT}/services`, { metadata: { name: 'web' }, spec });
    expect(await namesOf(jane('GET', `${DEFAULT}/services/web/selected`))).toEqual(['mine']);
  });

  it('The user may not send requests that need all objects', async () => {
    const spec = { pod: pod('p') };
    expect((await jane('POST', `${WINNOW}/placementreviews`, { spec })).status).toBe(403);
    const asked = { spec: { user: 'kim', resourceAttributes: { verb: 'list', resource: 'pods' } } };
    const reviews = '/apis/authorization.k8s.io/v1';
    expect((await jane('POST', `${reviews}/subjectaccessreviews`, asked)).status).toBe(403);
  });

  it('A review shows the user the permissions for some objects', async () => {
    const reviews = '/apis/authorization.k8s.io/v1';
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'default' } };
    const { status } = (await jane('POST', `${reviews}/selfsubjectaccessreviews`, { spec })).body;
    expect([status.allowed, status.reason]).toEqual([true, expect.stringContaining('match team=a')]);
    const rules = { spec: { namespace: 'default' } };
    expect((await jane('POST', `${reviews}/selfsubjectrulesreviews`, rules)).body.status).toMatchObject({
      incomplete: true,
      evaluationError: expect.stringContaining('ClusterAccessGrant "team-a"'),
    });
  });

  it('No other review shows the user a permission for all objects', async () => {
    const resourceAttributes = { verb: 'list', resource: 'pods', namespace: 'default' };
    const review = { spec: { user: 'jane', resourceAttributes } };
    const asked = await admin('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
    expect(asked.body.status).toMatchObject({ allowed: false, reason: expect.stringContaining('team=a') });
  });

  it('The user does not become an account without such limits', async () => {
    await make(`${DEFAULT}/serviceaccounts`, { metadata: { name: 'mine', labels: { team: 'a' } } });
    const refused = await jane('POST', `${DEFAULT}/serviceaccounts/mine/token`, { spec: {} });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toMatch(/: this request needs access to all objects; RBAC: allowed by/);
  });

  it('An Event does not reveal to the user whether an object exists in another namespace', async () => {
    const prod = '/api/v1/namespaces/prod';
    await make('/api/v1/namespaces', { metadata: { name: 'prod' } });
    await make(`${prod}/secrets`, { metadata: { name: 'there', labels: { team: 'a' } } });
    const about = async (name: string) => {
      const involvedObject = { apiVersion: 'v1', kind: 'Secret', namespace: 'prod', name };
      const when = { eventTime: '2026-01-01T00:00:00.000000Z', action: 'a', reason: 'r', type: 'Normal' };
      const event = {
        metadata: { name: 'e' },
        involvedObject,
        reportingComponent: 'c',
        reportingInstance: 'i',
        ...when,
      };
      return (await jane('POST', `${DEFAULT}/events?dryRun=All`, event)).status;
    };
    expect(await about('there')).toBe(await about('not-there'));
  });

  it('A terminating grant gives the user no permission, even while a finalizer holds it', async () => {
    await makePods('a');
    const held = { metadata: { finalizers: ['a.example/b'] } };
    const path = `${WINNOW}/clusteraccessgrants/team-a`;
    expect((await admin('PATCH', path, held, MERGE)).status).toBe(200);
    expect((await jane('GET', PODS)).status).toBe(200);
    expect((await admin('DELETE', path)).status).toBe(200);
    expect((await admin('GET', path)).status).toBe(200);
    expect((await jane('GET', PODS)).status).toBe(403);
  });

  it("The user gets deliveries and counts by the user's own permissions", async () => {
    for (const resource of ['subscriptions', 'tallies']) {
      const body = {
        metadata: { name: 's', labels: { team: 'a' } },
        spec: { resource: { resource: 'pods' } },
      };
      const { status, body: answer } = await jane('POST', `${WINNOW}/namespaces/default/${resource}`, body);
      expect([status, answer.status?.author?.username]).toEqual([201, 'jane']);
    }
  });

  it('The user sets no owner that could block a deletion that the user may not do', async () => {
    await make(PODS, pod('mine', { team: 'a' }));
    await make(PODS, pod('theirs', { team: 'b' }));
    const ownedBy = async (name: string, more: JsonObject = {}) => {
      const { uid } = (await admin('GET', `${PODS}/${name}`)).body.metadata;
      return { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, ...more }] };
    };
    const blocking = { blockOwnerDeletion: true };
    const madeBy = (name: string, more: JsonObject) => jane('POST', PODS, pod(name, { team: 'a' }, more));
    expect((await madeBy('p1', await ownedBy('mine', blocking))).status).toBe(201);
    const { status, body } = await madeBy('p2', await ownedBy('theirs', blocking));
    expect([status, body.message]).toEqual([
      403,
      expect.stringContaining("refers to a resource you can't set finalizers on"),
    ]);
    expect((await madeBy('p3', await ownedBy('theirs'))).status).toBe(201);
  });
});

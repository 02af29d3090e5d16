import { beforeEach, describe, expect, it } from '@jest/globals';
import { postingsBackfill } from '../../../../../lib/controllers/backfills/index.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  valueAt,
} from '../../../../../lib/json/index.ts';
import { silentLogger } from '../../../../../lib/platform/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../../support/service/memory-api.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const REVIEWS = '/apis/winnow.dev/v1/selectionreviews';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const MERGE = 'application/merge-patch+json';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

const definition = (selects?: string): JsonObject => ({
  metadata: {
    name: 'fleets.example.com',
    ...(selects !== undefined && { annotations: { 'winnow.dev/selects': selects } }),
  },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

const template = (labels: JsonObject, spec: JsonObject = {}): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

async function pod(name: string, labels: JsonObject, spec: JsonObject = {}): Promise<void> {
  const { spec: own = {} } = template(labels, spec);
  await api.ask('POST', `${CORE}/pods`, { metadata: { name, labels }, spec: own });
}

async function service(name: string, selector: JsonObject): Promise<void> {
  await api.ask('POST', `${CORE}/services`, {
    metadata: { name },
    spec: { selector, ports: [{ port: 80 }] },
  });
}

async function replicaSet(name: string, labels: JsonObject): Promise<void> {
  await api.ask('POST', `${APPS}/replicasets`, {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: template(labels) },
  });
}

/** The selections in the form `Service web app=web`. */
function told(list: JsonValue | undefined): string[] {
  return (Array.isArray(list) ? list : []).map((one) => {
    const texts = ['carrier.kind', 'metadata.name', 'selector'].map((path) => valueAt(one, path));
    return texts.join(' ');
  });
}

const whoSelects = async (path: string) => told((await api.ask('GET', `${path}/selectedby`)).items);

describe('GET of selectedby', () => {
  it('selectedby lists the objects of all kinds that select an object', async () => {
    await pod('web-1', { app: 'web', tier: 'front' });
    await service('web', { app: 'web' });
    await service('db', { app: 'db' });
    await replicaSet('front', { tier: 'front' });
    await api.ask('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'all' },
      spec: { minAvailable: 1, selector: {} },
    });
    await api.ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
      metadata: { name: 'open' },
      spec: { podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
    });
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual([
      'ReplicaSet front tier=front',
      'Service web app=web',
      'NetworkPolicy open app',
      'PodDisruptionBudget all ',
    ]);
  });

  it('selectedby follows changes of selectors and labels, and deletions', async () => {
    await pod('web-1', { app: 'web' });
    await service('web', { app: 'db' });
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual([]);
    await api.ask('PATCH', `${CORE}/services/web`, { spec: { selector: { app: 'web' } } }, MERGE);
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(['Service web app=web']);
    await api.ask('PATCH', `${CORE}/pods/web-1`, { metadata: { labels: { app: 'x' } } }, MERGE);
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual([]);
    await api.ask('PATCH', `${CORE}/pods/web-1`, { metadata: { labels: { app: 'web' } } }, MERGE);
    await api.ask('DELETE', `${CORE}/services/web`);
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual([]);
  });

  it('selectedby lists the pods that require a node', async () => {
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels: { disk: 'ssd' } } });
    await pod('picky', {}, { nodeSelector: { disk: 'ssd' } });
    await pod('other', {}, { nodeSelector: { disk: 'hdd' } });
    await pod('plain', {});
    const terms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }];
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    };
    await pod('pinned', {}, { affinity });
    expect(await whoSelects('/api/v1/nodes/n1')).toEqual(['Pod picky disk=ssd', 'Pod pinned ']);
  });

  it('selectedby uses the labels of namespaces', async () => {
    await pod('web-1', { app: 'web' });
    const peers = [
      { podSelector: {}, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
      { podSelector: {}, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
    ];
    await api.ask('POST', '/apis/networking.k8s.io/v1/namespaces/kube-system/networkpolicies', {
      metadata: { name: 'in' },
      spec: { podSelector: {}, ingress: [{ from: peers }] },
    });
    const { items } = await api.ask('GET', `${CORE}/pods/web-1/selectedby`);
    expect(Array.isArray(items) ? items.map((one) => valueAt(one, 'path')) : []).toEqual([
      'spec.ingress[0].from[0]',
    ]);
  });

  it('selectedby is a Table if requested', async () => {
    await pod('web-1', { app: 'web' });
    await service('web', { app: 'web' });
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const path = `${CORE}/pods/web-1/selectedby`;
    const { columnDefinitions, rows } = await api.ask('GET', path, undefined, undefined, accept);
    expect((columnDefinitions as JsonObject[]).map(({ name }) => name)).toEqual([
      'Kind',
      'Name',
      'Selector',
      'Path',
      'Fields',
      'Namespaces',
    ]);
    expect((rows as JsonObject[])[0]?.cells).toEqual([
      'Service',
      'web',
      'app=web',
      'spec.selector',
      '<none>',
      '<none>',
    ]);
  });

  it('selectedby is refused for a missing object, and in other cases', async () => {
    expect((await api.send('GET', `${CORE}/pods/none/selectedby`)).status).toBe(404);
    expect((await api.send('DELETE', `${CORE}/pods/none/selectedby`)).status).toBe(405);
    await pod('web-1', {});
    expect((await api.send('GET', `${CORE}/pods/web-1/selectedby`)).status).toBe(200);
  });
});

describe('The kind SelectionReview', () => {
  const review = async (spec: JsonObject) =>
    objectAt((await api.ask('POST', REVIEWS, { spec: { resource: { resource: 'pods' }, ...spec } })).status);

  beforeEach(async () => {
    await service('web', { app: 'web' });
    await service('canary', { track: 'canary' });
  });

  it('A SelectionReview lists the objects that would select labels', async () => {
    const status = await review({ namespace: 'default', labels: { app: 'web' } });
    expect(told(status.selectedBy)).toEqual(['Service web app=web']);
    expect(status.begins).toBeUndefined();
  });

  it('A SelectionReview lists the selections that would begin and end', async () => {
    await pod('web-1', { app: 'web' });
    const status = await review({ namespace: 'default', name: 'web-1', labels: { track: 'canary' } });
    expect([told(status.selectedBy), told(status.begins), told(status.stops)]).toEqual([
      ['Service canary track=canary'],
      ['Service canary track=canary'],
      ['Service web app=web'],
    ]);
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(['Service web app=web']);
  });

  it('A SelectionReview accepts objects before and after a change', async () => {
    const labelled = (labels: JsonObject) => ({ metadata: { labels } });
    const status = await review({
      namespace: 'default',
      before: labelled({ app: 'web' }),
      after: labelled({ app: 'web', track: 'canary' }),
    });
    expect([told(status.begins), told(status.stops)]).toEqual([['Service canary track=canary'], []]);
  });

  it('A SelectionReview lists Tallies that count the object', async () => {
    await api.ask('POST', '/apis/winnow.dev/v1/namespaces/default/tallies', {
      metadata: { name: 'north' },
      spec: { resource: { resource: 'pods' }, labelSelector: 'site=north' },
    });
    await pod('web-1', { site: 'south' });
    const status = await review({ namespace: 'default', name: 'web-1', labels: { site: 'north' } });
    expect(told(status.begins)).toEqual(['Tally north site=north']);
  });

  it('A SelectionReview lists grants whose role covers the resource', async () => {
    const grant = (name: string, role: string, site: string) => ({
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      labelSelector: { matchLabels: { site } },
    });
    const roles: [string, JsonObject][] = [
      ['pods', { resources: ['pods/log'] }],
      ['secrets', { resources: ['secrets'] }],
      ['one', { resources: ['pods'], resourceNames: ['web-1'] }],
    ];
    for (const [name, rule] of roles) {
      await api.ask('POST', `${RBAC}/clusterroles`, {
        metadata: { name },
        rules: [{ verbs: ['get'], apiGroups: [''], ...rule }],
      });
    }
    const own = '/apis/winnow.dev/v1/namespaces/default/accessgrants';
    await api.ask('POST', own, grant('north-pods', 'pods', 'north'));
    await api.ask('POST', own, grant('south-pods', 'pods', 'south'));
    await api.ask('POST', own, grant('north-secrets', 'secrets', 'north'));
    await api.ask('POST', own, grant('of-no-role', 'missing', 'north'));
    await api.ask('POST', '/apis/winnow.dev/v1/clusteraccessgrants', grant('everywhere', 'one', 'north'));
    await pod('web-1', { site: 'south' });
    const status = await review({ namespace: 'default', name: 'web-1', labels: { site: 'north' } });
    expect(told(status.begins)).toEqual([
      'ClusterAccessGrant everywhere site=north',
      'AccessGrant north-pods site=north',
    ]);
    expect(told(status.stops)).toEqual(['AccessGrant south-pods site=south']);
    expect(status.hidden).toBeUndefined();
    expect(told((await review({ namespace: 'default', labels: { site: 'north' } })).selectedBy)).toEqual([
      'AccessGrant north-pods site=north',
    ]);
  });

  it('A SelectionReview names the kinds of grants that the caller may not list', async () => {
    await api.ask('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'reviewer' },
      rules: [
        { verbs: ['create'], apiGroups: ['winnow.dev'], resources: ['selectionreviews'] },
        { verbs: ['list'], apiGroups: ['winnow.dev'], resources: ['accessgrants'] },
      ],
    });
    await api.ask('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'reviewer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reviewer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    const jane = api.as({ username: 'jane', groups: ['system:authenticated'] });
    const spec = { resource: { resource: 'pods' }, namespace: 'default', labels: { site: 'north' } };
    const { status } = await jane.ask('POST', REVIEWS, { spec });
    expect(objectAt(status).hidden).toEqual(['ClusterAccessGrant']);
  });

  it('A SelectionReview of a name needs the right to get the object, and hides objects outside the scope', async () => {
    const subject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole' };
    const rule = (apiGroup: string, resource: string, verb: string) => ({
      rules: [{ verbs: [verb], apiGroups: [apiGroup], resources: [resource] }],
    });
    const roles = [
      { metadata: { name: 'reviewer' }, ...rule('winnow.dev', 'selectionreviews', 'create') },
      { metadata: { name: 'reader' }, ...rule('', 'pods', 'get') },
    ];
    for (const role of roles) await api.ask('POST', `${RBAC}/clusterroles`, role);
    await api.ask('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'reviewer' },
      roleRef: { ...roleRef, name: 'reviewer' },
      subjects: [subject],
    });
    await pod('seen', { app: 'web', team: 'a' });
    await pod('hidden', { app: 'web', team: 'b' });
    const jane = api.as({ username: 'jane', groups: ['system:authenticated'] });
    const reviewed = async (name: string) => {
      const spec = { resource: { resource: 'pods' }, namespace: 'default', name };
      const { status, body } = await jane.send('POST', REVIEWS, { spec });
      return [status, told(objectAt(body.status).selectedBy)];
    };
    expect(await reviewed('seen')).toEqual([403, []]);
    await api.ask('POST', '/apis/winnow.dev/v1/namespaces/default/accessgrants', {
      metadata: { name: 'a' },
      roleRef: { ...roleRef, name: 'reader' },
      subjects: [subject],
      labelSelector: { matchLabels: { team: 'a' } },
    });
    expect(await reviewed('seen')).toEqual([201, ['Service web app=web']]);
    expect(await reviewed('hidden')).toEqual([201, []]);
    expect(await reviewed('missing')).toEqual([201, []]);
  });

  it('A SelectionReview lists overlapping controllers', async () => {
    await replicaSet('one', { app: 'web' });
    await replicaSet('two', { app: 'web' });
    const { overlaps } = await review({ namespace: 'default', labels: { app: 'web' } });
    expect((overlaps as JsonObject[]).map(({ controllers }) => told(controllers))).toEqual([
      ['ReplicaSet one app=web', 'ReplicaSet two app=web'],
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ namespace: 'default' }, 'spec.labels'],
    [{ labels: {} }, 'spec.namespace'],
    [{ namespace: 'default', labels: { 'a b': '' } }, 'spec.labels'],
    [{ namespace: 'default', labels: {}, after: {} }, 'spec.labels'],
    [{ namespace: 'default', after: 'x' }, 'spec.after'],
    [{ resource: { resource: 'none' }, labels: {} }, 'spec.resource'],
  ])('is refused as %j', async (spec, field) => {
    const { status, body } = await api.send('POST', REVIEWS, {
      spec: { resource: { resource: 'pods' }, ...spec },
    });
    expect(status).toBe(422);
    const causes = valueAt(body, 'details.causes');
    expect((causes as JsonObject[]).filter(isJsonObject).map((one) => one.field)).toContain(field);
  });
});

describe('LIST of selected', () => {
  const names = (list: JsonObject) =>
    (list.items as JsonObject[]).map((one) => valueAt(one, 'metadata.name'));
  const selected = `${CORE}/services/web/selected`;

  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await pod(name, { app: 'web', id: name });
    await pod('other', { app: 'db' });
    await service('web', { app: 'web' });
  });

  it('The list has the members, filtered by a selector if one is given', async () => {
    const list = await api.ask('GET', selected);
    expect([list.kind, names(list)]).toEqual(['PodList', ['a', 'b', 'c']]);
    expect(names(await api.ask('GET', `${selected}?labelSelector=id!=b`))).toEqual(['a', 'c']);
  });

  it('The list has pages, until the selector changes', async () => {
    const page = await api.ask('GET', `${selected}?limit=2`);
    const next = `${selected}?limit=2&continue=${valueAt(page, 'metadata.continue')}`;
    expect(names(await api.ask('GET', next))).toEqual(['c']);
    await api.ask('PATCH', `${CORE}/services/web`, { spec: { selector: { id: 'a' } } }, MERGE);
    expect((await api.send('GET', next)).status).toBe(410);
  });

  it('The list is of another selector of the object if its path is named', async () => {
    await api.ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', {
      metadata: { name: 'in' },
      spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }] }] },
    });
    const policy = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies/in/selected';
    expect(names(await api.ask('GET', policy))).toHaveLength(4);
    expect(names(await api.ask('GET', `${policy}?path=spec.ingress[0].from[0]`))).toEqual(['a', 'b', 'c']);
    expect((await api.send('GET', `${policy}?path=none`)).status).toBe(400);
  });

  it('The list is refused for a missing object, and for one without selectors', async () => {
    await service('none', {});
    expect((await api.send('GET', `${CORE}/services/gone/selected`)).status).toBe(404);
    expect((await api.send('GET', `${CORE}/services/none/selected`)).status).toBe(400);
  });
});

describe('A custom kind with selectors', () => {
  it('A custom kind selects by the fields that its definition names', async () => {
    await api.ask('POST', DEFINITIONS, definition('pods=.spec.over,nodes=.spec.nodes'));
    await pod('web-1', { app: 'web' });
    await api.ask('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels: { disk: 'ssd' } } });
    await api.ask('POST', '/apis/example.com/v1/namespaces/default/fleets', {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name: 'one' },
      spec: { over: 'app in (web)', nodes: { disk: 'ssd' } },
    });
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(['Fleet one app in (web)']);
    expect(await whoSelects('/api/v1/nodes/n1')).toEqual(['Fleet one disk=ssd']);
  });

  it('A definition is refused with malformed field names', async () => {
    const { status, body } = await api.send('POST', DEFINITIONS, definition('pods'));
    expect([status, valueAt(body, 'message')]).toEqual([
      422,
      expect.stringContaining('metadata.annotations[winnow.dev/selects]'),
    ]);
  });
});

describe('An object that was written before its selectors were indexed', () => {
  const SERVICES = 'core/services';
  const PAST_EVERY_WAIT = 15 * 60_000;
  const warnings: string[] = [];
  let minute: () => Promise<void>;

  beforeEach(() => {
    const { world, clock } = api.memory;
    warnings.length = 0;
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const sweep = postingsBackfill({ table: world.table, clock, hints: world.hints, logger });
    minute = async () => {
      clock.advance(60_000);
      await clock.during(sweep(world.store));
    };
  });

  /** Written as by a version of Winnow that does not index selectors. */
  async function former(name: string, spec: JsonObject): Promise<void> {
    const { world, clock } = api.memory;
    const metadata = { name, namespace: 'default', uid: `uid-${name}` };
    const body = { apiVersion: 'v1', kind: 'Service', metadata, spec };
    await clock.during(
      world.store.write(SERVICES, { namespace: 'default', name }, () => ({ kind: 'put', body })),
    );
  }

  const rvOf = async (path: string) => valueAt(await api.ask('GET', path), 'metadata.resourceVersion');

  it('The object is found when no earlier version writes any more', async () => {
    await former('web', { selector: { app: 'web' } });
    await former('none', {});
    await pod('web-1', { app: 'web' });
    await minute();
    await minute();
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual([]);
    api.memory.clock.advance(PAST_EVERY_WAIT);
    await minute();
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(['Service web app=web']);
  });

  it('The object is written once, and an indexed object is not written', async () => {
    await former('web', { selector: { app: 'web' } });
    await service('db', { app: 'db' });
    const before = await rvOf(`${CORE}/services/db`);
    await minute();
    api.memory.clock.advance(PAST_EVERY_WAIT);
    await minute();
    const written = await rvOf(`${CORE}/services/web`);
    await minute();
    expect([await rvOf(`${CORE}/services/web`), await rvOf(`${CORE}/services/db`)]).toEqual([
      written,
      before,
    ]);
  });

  it('An object without room for its postings is skipped, with a warning', async () => {
    const labels = Object.fromEntries(Array.from({ length: 96 }, (_, at) => [`l${at}`, 'x']));
    const { world, clock } = api.memory;
    const metadata = { name: 'a-full-one', namespace: 'default', uid: 'uid-full', labels };
    const body = { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: 'web' } } };
    const name = { namespace: 'default', name: 'a-full-one' };
    await clock.during(world.store.write(SERVICES, name, () => ({ kind: 'put', body })));
    await former('web', { selector: { app: 'web' } });
    await pod('web-1', { app: 'web' });
    await minute();
    clock.advance(PAST_EVERY_WAIT);
    await minute();
    expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(['Service web app=web']);
    expect(warnings).toEqual(['an object has no room for its postings, so its selectors are not found']);
  });

  it('The object is found as long as its definition names the selectors', async () => {
    const name = `${DEFINITIONS}/fleets.example.com`;
    await api.ask('POST', DEFINITIONS, definition());
    await pod('web-1', { app: 'web' });
    await api.ask('POST', '/apis/example.com/v1/namespaces/default/fleets', {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name: 'one' },
      spec: { over: 'app in (web)' },
    });
    for (const [text, found] of [
      ['pods=.spec.over', ['Fleet one app in (web)']],
      [null, []],
    ] as const) {
      await api.ask('PATCH', name, { metadata: { annotations: { 'winnow.dev/selects': text } } }, MERGE);
      await minute();
      await minute();
      expect(await whoSelects(`${CORE}/pods/web-1`)).toEqual(found);
    }
  });
});

import type { JsonObject } from '../../../lib/json/index.ts';
import { openAuthority } from '../../../lib/server/index.ts';
import { KNOWN_SCHEMAS } from '../../../lib/store/index.ts';
import { schemaKey } from '../../../lib/store/keys.ts';
import { change, insist } from '../access/insist.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Ask, type Asked, serveApi, serveTogether, warmApi } from '../api/index.ts';
import type { WatchRecord } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { Chance } from '../world/chance.ts';
import { everyChange } from './change-by-every-verb.ts';
import { EVERY_VERB_ROLE, grantsOf, NAMESPACE, nameOf, TENANT_ROLE } from './grants.ts';
import { everyVerbLives } from './live-with-every-verb.ts';
import { event } from './read-events.ts';
import { Tenant } from './tenant.ts';
import type { TenantRecord } from './tenant-record.ts';
import { TELLERS, ToldTenant } from './told-tenant.ts';

const RETRY = 500;
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const EVENTS = `/api/v1/namespaces/${NAMESPACE}/events`;
const NAMES = 3;
const WINNOW = `/apis/winnow.dev/v1/namespaces/${NAMESPACE}`;

interface Living {
  readonly cluster: Cluster;
  readonly record: TenantRecord;
  readonly scenario: Scenario;
  readonly ask: Ask;
}

export interface Tenants {
  readonly lives: readonly Promise<void>[];
  end(): WatchRecord[];
}

/**
 * Starts the tenants, the writer of their grants, and a writer of the same objects. The API runs in a function for
 * each request, or serves many requests in one process.
 */
export function liveWithTenants(cluster: Cluster, record: TenantRecord, scenario: Scenario): Tenants {
  cluster.world.table.rows.set({ ...schemaKey, version: KNOWN_SCHEMAS.newest, from: 0 });
  record.follow(cluster.world);
  const alone = { cluster, record, scenario, ask: serveApi(cluster) };
  const together = { ...alone, ask: serveTogether(cluster) };
  const count = scenario.tenants ?? 0;
  const begun = begin(alone, count);
  const afterwards = async (work: () => Promise<void>) => {
    await begun;
    await work();
  };
  const living = (at: number) => (at % 4 < 2 ? alone : together);
  const all = Array.from({ length: count }, (_, at) => new Tenant({ ...living(at), at }));
  const tellings = scenario.tellings === undefined ? 0 : count;
  const told = Array.from({ length: tellings }, (_, at) => new ToldTenant({ ...living(at), at }));
  const streams: WatchRecord[] = [];
  const everyVerb =
    scenario.everyVerb === undefined
      ? []
      : everyVerbLives(
          all.map((_, at) => ({ ...living(at), at })),
          streams,
        );
  return {
    lives: [
      afterwards(() => regrant(alone, count)),
      afterwards(() => keepWriting(alone, 'somebody')),
      ...all.map((tenant) => afterwards(() => tenant.run())),
      ...told.map((tenant) => afterwards(() => tenant.run())),
      ...all.map((_, at) => afterwards(() => keepWriting(living(at), nameOf(at)))),
      ...everyVerb.map(afterwards),
    ],
    end: () => {
      for (const tenant of told) tenant.end(record);
      return [...all.flatMap((tenant) => tenant.end()), ...streams];
    },
  };
}

let warmed: Promise<void> | undefined;

/** Has the API load the modules that these actors need, once a process. */
export function warmUp(): Promise<void> {
  warmed ??= load();
  return warmed;
}

async function load(): Promise<void> {
  const chance = new Chance(1);
  const grants = [0, 1].flatMap(grantsOf);
  const [first] = grantsOf(1);
  const deciding = [TENANT_ROLE, ...grants].map((one) =>
    change(one, { chance, token: 'warm', isThere: false }),
  );
  const user = { username: nameOf(1), groups: ['system:authenticated'] };
  const him = (asked: Asked) => ({ ...asked, user });
  const pods = '/api/v1/namespaces/default/pods';
  const app = { app: 'x', tier: 'a' };
  const pod = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: app },
    spec: { containers: [{ name: 'one', image: 'one' }] },
  });
  const spec = { resource: { group: '', resource: 'pods' }, namespaces: 'All' };
  const telling: Asked[] = ['subscriptions', 'tallies'].flatMap((resource): Asked[] => [
    { method: 'POST', url: `${WINNOW}/${resource}`, body: { metadata: { name: 'one' }, spec } },
    {
      method: 'PATCH',
      url: `${WINNOW}/${resource}/one`,
      body: { spec: { labelSelector: 'app' } },
      contentType: 'application/merge-patch+json',
    },
  ]);
  const store = await warmApi([
    ...deciding,
    ...TELLERS,
    ...grants.map((one) => change(one, { chance, token: 'warm', isThere: true })),
    ...['p0', 'p1'].map((name) => ({ method: 'POST', url: pods, body: pod(name) })),
    ...['PUT', 'GET', 'DELETE', 'PUT'].map((method) =>
      him(writing('c0', { method, token: 'warm', labels: app })),
    ),
    him(writing('c0', { method: 'PUT', token: 'warm', labels: { app: 'none' } })),
    him({ method: 'GET', url: `${pods}/p0` }),
    ...['', '?limit=1', '?watch=true&timeoutSeconds=1'].map((query) =>
      him({ method: 'GET', url: pods + query }),
    ),
    him({ method: 'GET', url: `${pods}?labelSelector=tier%3Da` }),
    him({ method: 'GET', url: `${pods}?limit=1&continue=none` }),
    change(first, { chance, token: undefined, isThere: true }),
    him({ method: 'GET', url: pods }),
    ...telling.map(him),
    change(EVERY_VERB_ROLE, { chance, token: 'warm', isThere: true }),
    event('e1', { name: 'c1' }),
    ...everyVerb(app).map(him),
  ]);
  await openAuthority({ clock: { now: () => 0 } }).now(store, []);
}

/** Requests of tenants with every verb. */
function everyVerb(app: JsonObject): readonly Asked[] {
  const who = nameOf(1);
  const changing = { who, token: 'warm', name: 'c1' };
  const watch = 'watch=true&timeoutSeconds=1';
  const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  return [
    writing('c1', { method: 'POST', token: 'warm', labels: app }),
    ...['/e1', '', '?limit=1', `?${watch}`].map((query) => ({ method: 'GET', url: `${EVENTS}${query}` })),
    { method: 'GET', url: `/api/v1/namespaces/${NAMESPACE}/pods?${watch}&${initial}` },
    ...everyChange({ ...changing, name: 'c2', labels: app }),
    ...everyChange({ ...changing, labels: undefined }),
  ];
}

/** Writes the role of tenants and a first grant of each, until they are acknowledged. */
async function begin(living: Living, count: number): Promise<void> {
  const grants = Array.from({ length: count }, (_, at) => grantsOf(at)[0]);
  const role = living.scenario.everyVerb === undefined ? TENANT_ROLE : EVERY_VERB_ROLE;
  const deciders = decidersOf(living);
  for (const [index, one] of [role, ...grants].entries()) await insist(deciders, one, `basic.${index}`);
  if (living.scenario.tellings !== undefined) await letTell(living);
}

async function letTell({ ask, cluster }: Living): Promise<void> {
  for (const asked of TELLERS) {
    for (;;) {
      const answer = await ask(asked);
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) break;
      await cluster.world.scheduler.sleep(RETRY);
    }
  }
}

const decidersOf = ({ cluster, record, ask }: Living) => ({ cluster, access: record.access, ask });

async function regrant(living: Living, count: number): Promise<void> {
  const { cluster, scenario } = living;
  const { chance, scheduler } = cluster.world;
  for (let turn = 0; turn < (scenario.grants ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.grantPause ?? [0, 0]));
    const one = chance.pick(grantsOf(chance.below(count)));
    await insist(decidersOf(living), one, chance.chance(0.25) ? undefined : `grant.${turn}`);
  }
  for (let at = 0; at < count; at += 1) {
    const [first, other] = grantsOf(at);
    await insist(decidersOf(living), other, undefined);
    await insist(decidersOf(living), first, `last.${at}`);
  }
}

/** Creates, relabels and deletes ConfigMaps; a tenant does so within its grants or outside. */
async function keepWriting({ cluster, record, scenario, ask }: Living, who: string): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const isTenant = who !== 'somebody';
  const user = { user: { username: who, groups: ['system:authenticated'] } };
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const token = `${who}.${count}`;
    const name = `c${chance.below(NAMES)}`;
    const method = chance.pick(['POST', 'PUT', 'PUT', 'DELETE', 'GET']);
    const labels = {
      ...(chance.chance(0.9) && { app: chance.pick(['x', 'y', 'z']) }),
      ...(chance.chance(0.6) && { tier: chance.pick(['a', 'b']) }),
      ...(chance.chance(0.2) && { canary: '' }),
    };
    const invoked = cluster.now;
    if (isTenant) record.tried.set(token, { who, invoked });
    const answer = await ask({ ...writing(name, { method, token, labels }), ...(isTenant && user) });
    const [object] = answer?.objects ?? [];
    if (!isTenant || answer === undefined || answer.status >= 300 || object === undefined) continue;
    record.hear({ who, invoked, at: cluster.now, method, object });
  }
}

interface Writing {
  readonly method: string;
  readonly token: string;
  readonly labels: JsonObject;
}

function writing(name: string, { method, token, labels }: Writing): Asked {
  const url = method === 'POST' ? CONFIG_MAPS : `${CONFIG_MAPS}/${name}`;
  if (method === 'GET' || method === 'DELETE') return { method, url };
  const metadata = { name, labels, annotations: { token } };
  return { method, url, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} } };
}

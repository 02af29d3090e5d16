import { isJsonObject, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Answered, type Ask, type Asked, serveApi, serveTogether, warmApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { AccessRecord } from './access-record.ts';
import { anyTag, BASICS, DECIDING, type Deciding, NAMESPACE, PRINCIPAL, USERS } from './policies.ts';

const RETRY = 500;
const REVIEWS_URL = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';

interface Deciders {
  readonly cluster: Cluster;
  readonly record: AccessRecord;
  /** The tokens of the roles' versions, the last one last. Each token names a ConfigMap that its version grants. */
  readonly tokens: string[];
}

/**
 * Starts the administrators, who write the deciding objects, and the askers, who request their permissions. The API
 * runs in a function for each request, or serves many requests in one process.
 */
export function liveWithAccess(cluster: Cluster, record: AccessRecord, scenario: Scenario): Promise<void>[] {
  record.follow(cluster.world);
  const deciders = { cluster, record, tokens: [] };
  const { administrators = 0, askers = 0, auditPause } = scenario;
  const alone = serveApi(cluster, { auditPause });
  const together = serveTogether(cluster, { auditPause });
  const begun = begin(deciders, alone);
  const live = async (work: () => Promise<void>) => {
    await begun;
    await work();
  };
  return [
    ...named('administrator', administrators).map((client) =>
      live(() => administer(deciders, alone, { client, scenario })),
    ),
    ...named('asker', askers).map((_, at) =>
      live(() => keepAsking(deciders, at % 2 === 0 ? alone : together, scenario)),
    ),
  ];
}

/** Has the API load the modules that these actors need. */
export async function warmUp(): Promise<void> {
  const { Chance } = await import('../world/chance.ts');
  const chance = new Chance(1);
  const all = [...BASICS, ...DECIDING];
  const written = all.map((one) => ({ method: 'PUT', url: one.url, body: one.body(chance, 'warm') }));
  await warmApi([
    ...written,
    ...written.map(madeBy),
    ...[...USERS, PRINCIPAL].flatMap((who) => [asksAll(who), asksOne(who, 't0')]),
    ...all.map(({ url }) => ({ method: 'DELETE', url })),
    asksOne(PRINCIPAL, 't0'),
  ]);
}

/** Writes the objects that allow every user to request reviews, until they are acknowledged. */
async function begin({ cluster, record }: Deciders, ask: Ask): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (const one of BASICS) {
    for (let isThere = false; !isThere; ) {
      const invoked = cluster.now;
      const answer = await ask({ method: 'PUT', url: one.url, body: one.body(chance, 'basic') });
      isThere = answer !== undefined && answer.status < 300;
      if (isThere) {
        record.acknowledge(one, { token: 'basic', invoked, now: cluster.now });
      } else {
        await scheduler.sleep(RETRY);
      }
    }
  }
}

interface Administrator {
  readonly client: string;
  readonly scenario: Scenario;
}

async function administer(deciders: Deciders, ask: Ask, { client, scenario }: Administrator): Promise<void> {
  const { cluster, record, tokens } = deciders;
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const one = chance.pick(DECIDING);
    const token = chance.chance(0.25) ? undefined : `${client}.${count}`;
    const invoked = cluster.now;
    const change = changeOf(one, { chance, token });
    const changed = await ask(change);
    // A PUT creates roles and bindings, but no AccessEntry.
    const isMissing = token !== undefined && changed?.status === 404;
    const answer = isMissing ? await ask(madeBy(change)) : changed;
    if (token !== undefined) tokens.push(token);
    if (answer === undefined || answer.status >= 300) continue;
    record.acknowledge(one, { token, invoked, now: cluster.now });
  }
}

function changeOf(
  { url, body }: Deciding,
  { chance, token }: { readonly chance: Parameters<Deciding['body']>[0]; readonly token: string | undefined },
): Asked {
  if (token === undefined) return { method: 'DELETE', url };
  return { method: 'PUT', url, body: body(chance, token) };
}

/** The create request for an object that an update has not found. */
function madeBy({ url, ...update }: Asked): Asked {
  return { ...update, method: 'POST', url: url.slice(0, url.lastIndexOf('/')) };
}

async function keepAsking(
  { cluster, record, tokens }: Deciders,
  ask: Ask,
  scenario: Scenario,
): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const who = chance.pick([...USERS, PRINCIPAL]);
    const tag = chance.chance(0.5) ? undefined : anyTag(chance, tokens);
    const invoked = cluster.now;
    const answer = await ask(tag === undefined ? asksAll(who) : asksOne(who, tag));
    const asked = { who, invoked, returned: cluster.now };
    if (answer === undefined || ![201, 403, 404].includes(answer.status)) continue;
    record.told.push(
      tag === undefined
        ? { ...asked, all: namesIn(answer) }
        : { ...asked, tag, isAllowed: answer.status === 404 },
    );
  }
}

/** Tests one permission. The ConfigMap does not exist, so a user that may get it receives a 404. */
function asksOne(who: string, tag: string): Asked {
  return { method: 'GET', url: `/api/v1/namespaces/${NAMESPACE}/configmaps/${tag}`, ...asWhom(who) };
}

function asksAll(who: string): Asked {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: NAMESPACE },
  };
  return { method: 'POST', url: REVIEWS_URL, body, ...asWhom(who) };
}

function asWhom(who: string): Pick<Asked, 'user' | 'principal'> {
  const user = { username: who, groups: ['system:authenticated'] };
  return who === PRINCIPAL ? { user, principal: PRINCIPAL } : { user };
}

function namesIn({ objects: [review = {}] }: Answered): string[] {
  const { resourceRules } = objectAt(review.status ?? {});
  const rules = Array.isArray(resourceRules) ? resourceRules.filter(isJsonObject) : [];
  const ofConfigMaps = rules.filter(({ resources }) => textsOf(resources).includes('configmaps'));
  return [...new Set(ofConfigMaps.flatMap(({ resourceNames }) => textsOf(resourceNames)))];
}

function textsOf(value: JsonObject[string] | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function named(role: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${role}${index}`);
}

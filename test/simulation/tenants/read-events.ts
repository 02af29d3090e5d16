import { isJsonObject, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Asked } from '../api/index.ts';
import { NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';

const EVENTS = `/api/v1/namespaces/${NAMESPACE}/events`;
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const NAMES = 3;
/** The lifetime of a function, in ms. */
const TIMEOUT = 330_000;

/** Writes Events about ConfigMaps. Half of them name the uid of the existing object. */
export async function tellEvents({ ask, cluster, scenario }: Omit<TenantOptions, 'at'>): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let turn = 0; turn < (scenario.everyVerb ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const about = `c${chance.below(NAMES)}`;
    const isOfOne = chance.chance(0.5);
    const there = isOfOne ? await ask({ method: 'GET', url: `${CONFIG_MAPS}/${about}` }) : undefined;
    const uid = there?.status === 200 ? metadataOf(there.objects[0] ?? {}).uid : undefined;
    if (isOfOne && uid === undefined) continue;
    await ask(event(`e${turn}`, { name: about, ...(uid !== undefined && { uid }) }));
  }
}

/** The request that creates an Event about a ConfigMap. */
export function event(name: string, about: JsonObject): Asked {
  const involvedObject = { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, ...about };
  const metadata = { name, namespace: NAMESPACE };
  const body = { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, reason: 'Told', type: 'Normal' };
  return { method: 'POST', url: EVENTS, body };
}

/** Lets a tenant get, list and watch Events: it may see those about objects that it sees. */
export async function readEvents({ at, ask, cluster, record, scenario }: TenantOptions): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const who = nameOf(at);
  const user = { username: who, groups: ['system:authenticated'] };
  for (let turn = 0; turn < (scenario.everyVerb ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const [how, url] = chance.pick([
      ['get', `${EVENTS}/e${chance.below(turn + 1)}`],
      ['list', EVENTS],
      ['page', `${EVENTS}?limit=${1 + chance.below(3)}`],
      ['watch', `${EVENTS}?watch=true&timeoutSeconds=${1 + chance.below(6)}`],
    ] as const);
    const invoked = cluster.now;
    const show = (body: JsonObject) => {
      const { name, uid = '' } = objectAt(body.involvedObject);
      const object = `${NAMESPACE}/${name}`;
      record.events.push({ who, how, since: invoked, at: cluster.now, object, uid: String(uid) });
    };
    const answer = await ask({
      method: 'GET',
      url,
      user,
      patience: TIMEOUT,
      hears: ({ type, object }) => {
        if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') show(objectAt(object));
      },
    });
    if (answer?.status !== 200 || how === 'watch') continue;
    for (const one of how === 'get' ? answer.objects : answer.objects.flatMap(itemsOf)) show(one);
  }
}

const itemsOf = ({ items }: JsonObject) => (Array.isArray(items) ? items.filter(isJsonObject) : []);

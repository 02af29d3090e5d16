import { isJsonObject, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import type { Answered } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Range } from '../world/chance.ts';
import { eraOf, GROUP, objectOf, PLURALS, type Plural } from './definition.ts';
import type { KindRecord } from './kind-record.ts';
import type { Using } from './using.ts';

/** The place from which a client may continue, by a page or a watch. */
interface Place {
  readonly since: string;
  readonly rv: string;
  readonly token: string;
}

interface UsingPlaces extends Using {
  readonly places: Map<Plural, Place>;
  readonly watchFor: Range;
}

/** Creates and deletes objects of custom kinds, lists them in pages, and continues from a known place of any age. */
export async function useKinds(options: Using, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = options.cluster.world;
  const using = { ...options, watchFor: scenario.watchFor, places: new Map<Plural, Place>() };
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const served = options.record.served();
    const plural = chance.pick(served.length === 0 || chance.chance(0.1) ? PLURALS : served);
    const what = chance.pick([
      'create',
      'create',
      'create',
      'delete',
      'list',
      'list',
      'page',
      'watch',
    ] as const);
    const name = `p${chance.below(scenario.names)}`;
    await WAYS[what](using, plural, name);
  }
}

type What = 'create' | 'delete' | 'list' | 'page' | 'watch';

const WAYS: Readonly<Record<What, (using: UsingPlaces, plural: Plural, name: string) => Promise<unknown>>> = {
  create: ({ ask, record }, plural, name) =>
    ask({ method: 'POST', url: urlOf(record, plural), body: objectOf(plural, name) }),
  delete: ({ ask, record }, plural, name) =>
    ask({ method: 'DELETE', url: `${urlOf(record, plural)}/${name}` }),
  list: async (using, plural) => {
    const answer = await look(using, plural, { what: 'list', query: 'limit=1' });
    const { metadata, items } = answer?.objects[0] ?? {};
    const { continue: token = '', resourceVersion = '' } = objectAt(metadata ?? {});
    const since = Array.isArray(items) ? eraOf(objectAt(items[0] ?? {})) : undefined;
    if (since === undefined) return;
    using.places.set(plural, { since, rv: String(resourceVersion), token: String(token) });
  },
  page: async (using, plural) => {
    const { since, token = '' } = using.places.get(plural) ?? {};
    if (token === '') return;
    await look(using, plural, { what: 'page', query: `limit=1&continue=${token}`, since });
  },
  watch: async (using, plural) => {
    const { since, rv } = using.places.get(plural) ?? {};
    const seconds = Math.round(using.cluster.world.chance.within(using.watchFor) / 1000);
    if (rv === undefined) return;
    const query = `watch=1&resourceVersion=${rv}&timeoutSeconds=${seconds}`;
    await look(using, plural, { what: 'watch', query, since });
  },
};

interface Looking {
  readonly what: 'list' | 'page' | 'watch';
  readonly query: string;
  readonly since?: string | undefined;
}

async function look(
  { ask, cluster, record }: Using,
  plural: Plural,
  { what, query, since }: Looking,
): Promise<Answered | undefined> {
  const invoked = cluster.now;
  const answer = await ask({ method: 'GET', url: `/apis/${GROUP}/v1/${plural}?${query}` });
  if (answer === undefined) return undefined;
  const { status, objects } = answer;
  const eras = objects.flatMap(objectsIn).flatMap((object) => eraOf(object) ?? []);
  const seen = { what, plural, invoked, returned: cluster.now, status, eras };
  record.sights.push(since === undefined ? seen : { ...seen, since });
  return status === 200 ? answer : undefined;
}

/** The objects in a list, or in an event of a watch. */
function objectsIn(answer: JsonObject): JsonObject[] {
  const { items, object, type } = answer;
  if (type === 'BOOKMARK' || type === 'ERROR') return [];
  if (isJsonObject(object)) return [object];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function urlOf(record: KindRecord, plural: Plural): string {
  const within = record.scopeOf(plural) === 'Cluster' ? '' : 'namespaces/default/';
  return `/apis/${GROUP}/v1/${within}${plural}`;
}

import { isJsonObject, type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import type { Asked } from '../api/index.ts';
import type { Chance } from '../world/chance.ts';
import { NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';
import { labelledOf } from './tenant-record.ts';

const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const NAMES = 3;

interface Changing {
  readonly who: string;
  readonly name: string;
  readonly token: string;
  /** Undefined: the labels stay as they are. */
  readonly labels: JsonObject | undefined;
}

type Verb = (changing: Changing) => Asked;

const VERBS: readonly Verb[] = [
  (changing) => merged(changing, 'application/merge-patch+json'),
  (changing) => merged(changing, 'application/strategic-merge-patch+json'),
  ({ name, token, labels }) => ({
    method: 'PATCH',
    url: `${CONFIG_MAPS}/${name}`,
    contentType: 'application/json-patch+json',
    body: [
      { op: 'add', path: '/metadata/annotations/token', value: token },
      ...(labels === undefined ? [] : [{ op: 'add', path: '/metadata/labels', value: labels }]),
    ],
  }),
  ({ who, name, token, labels }) => ({
    method: 'PATCH',
    url: `${CONFIG_MAPS}/${name}?fieldManager=${who}&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { token }, ...(labels && { labels }) },
    },
  }),
  ({ labels }) => ({
    method: 'DELETE',
    url: labels === undefined ? CONFIG_MAPS : `${CONFIG_MAPS}?labelSelector=tier%3Da`,
  }),
];

/** One request of each verb. */
export function everyChange(changing: Changing): readonly Asked[] {
  return VERBS.map((verb) => verb(changing));
}

/** Lets a tenant patch, apply, and delete ConfigMaps by the collection, within its grants or outside. */
export async function changeByEveryVerb({
  at,
  ask,
  cluster,
  record,
  scenario,
}: TenantOptions): Promise<void> {
  const { chance, scheduler } = cluster.world;
  const who = nameOf(at);
  for (let turn = 0; turn < (scenario.everyVerb ?? 0); turn += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const token = `${who}.verbs.${turn}`;
    const verb = chance.pick(VERBS);
    const asked = verb({ who, name: `c${chance.below(NAMES)}`, token, labels: labelsBy(chance) });
    const invoked = cluster.now;
    record.tried.set(token, { who, invoked });
    const answer = await ask({ ...asked, user: { username: who, groups: ['system:authenticated'] } });
    const [object] = answer?.objects ?? [];
    if (answer === undefined || answer.status >= 300 || object === undefined) continue;
    const objects = asked.method === 'DELETE' ? itemsOf(object) : [object];
    for (const one of objects) {
      const how = asked.contentType ?? 'deletecollection';
      record.shown.push({ who, how, since: invoked, at: cluster.now, object: labelledOf(one) });
      if (asked.method === 'DELETE') record.deleted.set(String(metadataOf(one).uid), { who, invoked });
    }
  }
}

function merged({ name, token, labels }: Changing, contentType: string): Asked {
  const metadata = { annotations: { token }, ...(labels && { labels }) };
  return { method: 'PATCH', url: `${CONFIG_MAPS}/${name}`, contentType, body: { metadata } };
}

/** Labels for a write; undefined for half of the writes. */
function labelsBy(chance: Chance): JsonObject | undefined {
  if (chance.chance(0.5)) return undefined;
  return {
    app: chance.pick(['x', 'y', 'z']),
    ...(chance.chance(0.6) && { tier: chance.pick(['a', 'b']) }),
  };
}

const itemsOf = ({ items }: JsonObject) => (Array.isArray(items) ? items.filter(isJsonObject) : []);

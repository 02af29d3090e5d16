import type { JsonObject } from '../../lib/json/index.ts';
import type { Labels } from '../../lib/selectors/index.ts';
import { podOf } from '../bench/list/list-objects.ts';
import { startTable } from '../support/store/table.ts';
import { type CountedClient, openClient } from './counted-client.ts';
import { createCounter, type Used } from './counting.ts';

/** By what is asked of the API. */
export type RequestCounts = Readonly<Record<string, Used>>;

/** A kind of objects whose requests are counted. */
interface Counted {
  /** Of its collection in a namespace. */
  readonly path: string;
  object(name: string, labels: Labels): JsonObject;
}

const PODS: Counted = {
  path: '/api/v1/namespaces/default/pods',
  object: (name, labels) => podOf({ namespace: 'default', name }, '', labels),
};
/** The same objects, of a kind of one's own. */
const CAPSULES: Counted = {
  path: '/apis/fleet.example/v1/namespaces/default/capsules',
  object: (name, labels) => ({
    ...PODS.object(name, labels),
    apiVersion: 'fleet.example/v1',
    kind: 'Capsule',
  }),
};
const FREE = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const DEFINITION: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'capsules.fleet.example' },
  spec: {
    group: 'fleet.example',
    scope: 'Namespaced',
    names: { plural: 'capsules', kind: 'Capsule' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: FREE, status: FREE } } },
      },
    ],
  },
};
const LABELS = Object.entries({ app: 'web', tier: 'front', env: 'prod', team: 'a' });
const MOST_LABELS = LABELS.length;
/** Of the collection that is listed: so many objects, and so many of them have the label `ten`. */
const LISTED = { objects: 100, ten: 10 };
const APPLY = 'application/apply-patch+yaml';

/**
 * What each kind of request costs, of pods of about 1 KB: through the API, on the embedded DynamoDB, by a process
 * that has answered the same before, an hour after the last write to what it reads.
 */
export async function countRequests(): Promise<RequestCounts> {
  const { table, stop } = await startTable();
  try {
    const client = openClient(createCounter(), table);
    await warmUp(client);
    return { ...(await countWrites(client, PODS)), ...(await countReads(client, PODS)) };
  } finally {
    await stop();
  }
}

/** What the same requests of a custom kind cost, but those that differ in the number of labels or objects alone. */
export async function countKind(): Promise<RequestCounts> {
  const { table, stop } = await startTable();
  try {
    const client = openClient(createCounter(), table);
    await warmUp(client);
    await client.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
    await create(client, CAPSULES, 'first', Object.fromEntries(LABELS));
    const writes = await countWrites(client, CAPSULES);
    const reads = await countReads(client, CAPSULES);
    return { ...writes, ...reads };
  } finally {
    await stop();
  }
}

async function warmUp(client: CountedClient): Promise<void> {
  await client.prepare();
  // Its label keys have their slots from here on.
  await create(client, PODS, 'first', Object.fromEntries(LABELS));
}

function create(client: CountedClient, { path, object }: Counted, name: string, labels: Labels) {
  return client.ask('POST', path, object(name, labels));
}

async function countWrites(client: CountedClient, { path, object }: Counted): Promise<RequestCounts> {
  const counts: Record<string, Used> = {};
  for (let count = 0; count <= MOST_LABELS; count += 1) {
    const labels = Object.fromEntries(LABELS.slice(0, count));
    const made = object(`labels-${count}`, labels);
    counts[`create, ${count} ${count === 1 ? 'label' : 'labels'}`] = await client.count('POST', path, made);
  }
  const applied = object('applied', Object.fromEntries(LABELS));
  const place = `${path}/applied?fieldManager=costs`;
  counts[`create by apply, ${MOST_LABELS} labels`] = await client.count('PATCH', place, applied, APPLY);
  const pod = `${path}/labels-${MOST_LABELS}`;
  const merge = 'application/merge-patch+json';
  const phase = { status: { phase: 'Failed' } };
  counts['status patch'] = await client.count('PATCH', `${pod}/status`, phase, merge);
  const relabel = { metadata: { labels: { env: 'qa' } } };
  counts['relabel, 1 of 4 values'] = await client.count('PATCH', pod, relabel, merge);
  counts['delete, 4 labels'] = await client.count('DELETE', pod);
  return counts;
}

async function countReads(client: CountedClient, kind: Counted): Promise<RequestCounts> {
  // Four of those that were written, the applied one and the first are still there.
  for (let index = 0; index < LISTED.objects - MOST_LABELS - 2; index += 1) {
    await create(client, kind, `pod-${index}`, index < LISTED.ten ? { ten: 'yes' } : { ten: 'other' });
  }
  client.later();
  const { path } = kind;
  const lists = {
    get: `${path}/pod-0`,
    'list, nothing matches': `${path}?labelSelector=ten%3Dno`,
    'list, 10 match': `${path}?labelSelector=ten%3Dyes`,
    'list, all of 100': path,
  };
  const counts: Record<string, Used> = {};
  for (const [what, path] of Object.entries(lists)) {
    await client.ask('GET', path);
    counts[what] = await client.count('GET', path);
  }
  return counts;
}

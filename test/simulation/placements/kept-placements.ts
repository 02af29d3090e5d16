import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { World as Cluster, type Node, type Pod, place } from '../../../lib/placement/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { snapshotChunkKey, snapshotKey } from '../../../lib/store/index.ts';
import { JournalChange, parseEntry } from '../../../lib/store/journal.ts';
import { JOURNAL_SHARDS } from '../../../lib/store/keys.ts';
import { PODS } from '../actors/pods.ts';
import type { Violation } from '../checks/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { World } from '../world/world.ts';
import { NODES, ROOM } from './objects.ts';

/**
 * Checks the promises about bound pods, with any number of binders and crashes. At each resourceVersion:
 * 1. No pod has changed its node.
 * 2. No node has more pods than fit.
 * 3. No pod is beside one that its anti-affinity excludes.
 * 4. Pods with a spread constraint are spread.
 *
 * When all is quiet, a pod without a node fits on no node, and its status says so. The stored snapshot is complete.
 */
export function keptPlacements(world: World, { binders }: Pick<Scenario, 'binders'>): Violation[] {
  if (binders === 0) return [];
  const zones = new Map(bodiesOf(world, NODES).map((node) => [nameOf(node), labelsOf(node).zone]));
  return [...alongTheJournal(world, zones), ...atTheEnd(world), ...keptWhole(world)];
}

function alongTheJournal(world: World, zones: ReadonlyMap<string, unknown>): Violation[] {
  const pods = new Map<string, JsonObject>();
  return changesOf(world, PODS).flatMap(({ rv, type, nameKey, state }) => {
    const before = pods.get(nameKey);
    pods.delete(nameKey);
    if (type !== 'DELETED') pods.set(nameKey, state.body);
    const what = `${nameKey} at ${rv}`;
    const [had, has] = [nodeOf(before), nodeOf(type === 'DELETED' ? undefined : state.body)];
    if (had !== undefined && type !== 'DELETED' && had !== has) {
      return violation('a pod has another node than before', `${what}: ${had}, ${has}`);
    }
    if (has === undefined || had !== undefined) return [];
    const others = [...pods.values()].filter((pod) => pod !== state.body && nodeOf(pod) !== undefined);
    return atBinding(state.body, { has, others, zones }).flatMap((message) =>
      violation(message, `${what} on ${has}`),
    );
  });
}

interface Binding {
  readonly has: string;
  /** All other pods that have a node. */
  readonly others: readonly JsonObject[];
  readonly zones: ReadonlyMap<string, unknown>;
}

function atBinding(pod: JsonObject, { has, others, zones }: Binding): string[] {
  const beside = others.filter((other) => nodeOf(other) === has);
  const faults: string[] = [];
  const room = [pod, ...beside].filter((one) => labelsOf(one).wish === 'room').length;
  if (room > ROOM) faults.push('a node has more than fits');
  if (beside.some((other) => keepsAway(pod, other) || keepsAway(other, pod))) {
    faults.push('a pod is where one is that it keeps away from');
  }
  if (labelsOf(pod).wish === 'spread') {
    const spread = others.filter((other) => labelsOf(other).wish === 'spread');
    const inZone = (zone: unknown) => spread.filter((one) => zones.get(nodeOf(one) ?? '') === zone).length;
    const there = new Set(zones.values());
    // A zone that had no node at that time does not count. Only zones with a spread pod, and this pod's zone,
    // certainly count.
    const least = Math.min(...[...there].filter((zone) => inZone(zone) > 0).map(inZone), Infinity);
    const own = inZone(zones.get(has));
    if (own + 1 - Math.min(least, own + 1) > 1) faults.push('pods are not spread');
  }
  return faults;
}

/** Whether the anti-affinity of the first pod excludes the second. */
function keepsAway(pod: JsonObject, other: JsonObject): boolean {
  const { app } = labelsOf(other);
  const text = JSON.stringify(objectAt(pod.spec).affinity ?? null);
  return labelsOf(other).wish === 'alone' && text.includes(`"app":${JSON.stringify(app)}`);
}

function atTheEnd(world: World): Violation[] {
  const cluster = new Cluster();
  for (const node of bodiesOf(world, NODES)) cluster.set('Node', node as Node);
  const pods = bodiesOf(world, PODS);
  for (const pod of pods) cluster.set('Pod', pod as Pod);
  return pods
    .filter((pod) => nodeOf(pod) === undefined)
    .flatMap((pod) => {
      const { feasible, message } = place(pod as Pod, cluster);
      const told = JSON.stringify(objectAt(pod.status).conditions ?? null);
      if (feasible.length > 0) return violation('a pod has no node, and could have one', nameOf(pod));
      // Its status describes the cluster at its last try, so the message may differ.
      return told.includes('Unschedulable')
        ? []
        : violation('a pod is not told why', `${nameOf(pod)}: ${message}`);
    });
}

/**
 * Checks that all chunks of the stored snapshot exist. Otherwise a new process would read all objects although there
 * is a snapshot.
 */
function keptWhole({ table }: World): Violation[] {
  const [header] = table.rows.partition(snapshotKey.pk);
  if (header === undefined) return [];
  const chunks = Array.from({ length: Number(header.chunks) }, (_, at) =>
    snapshotChunkKey(String(header.id), at),
  );
  const missing = chunks.filter(({ pk }) => table.rows.partition(pk).length === 0);
  return missing.flatMap(({ pk }) => violation('a snapshot is not whole', pk));
}

function changesOf({ table }: World, collection: Collection): JournalChange[] {
  const shards = Array.from({ length: JOURNAL_SHARDS }, (_, shard) => `journal#${collection}#${shard}`);
  return shards
    .flatMap((shard) => table.rows.partition(shard).map(parseEntry))
    .filter((entry): entry is JournalChange => entry instanceof JournalChange)
    .sort((left, right) => left.rv - right.rv);
}

function bodiesOf({ table }: World, collection: Collection): JsonObject[] {
  return table.rows.partition(`object#${collection}`).map(({ body }) => decodeBody(body));
}

function nodeOf(pod: JsonObject | undefined): string | undefined {
  const { nodeName } = objectAt(pod?.spec);
  return nodeName === undefined ? undefined : String(nodeName);
}

const labelsOf = (body: JsonObject) => objectAt(metadataOf(body).labels);
const nameOf = (body: JsonObject) => String(metadataOf(body).name);

function violation(message: string, evidence: string): Violation[] {
  return [{ check: 'kept-placements', message, evidence: [evidence] }];
}

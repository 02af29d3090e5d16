import { type Pod, place, World, type WorldKinds } from '../../../lib/placement/index.ts';
import type { Cluster } from './clusters.ts';

/** A scheduler's answer for one pod, in a form without order. */
export interface Answer {
  readonly feasible: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly refused: Readonly<Record<string, { readonly rule: string; readonly reasons: readonly string[] }>>;
  readonly message: string;
  readonly error: string;
}

/** The objects of a cluster, in the order in which the world receives them. */
export function objectsOf(cluster: Cluster): [keyof WorldKinds, WorldKinds[keyof WorldKinds]][] {
  const lists: Record<keyof WorldKinds, readonly WorldKinds[keyof WorldKinds][]> = {
    Node: cluster.nodes,
    Pod: cluster.pods,
    Namespace: cluster.namespaces,
    Service: cluster.services,
    ReplicationController: cluster.replicationControllers,
    ReplicaSet: cluster.replicaSets,
    StatefulSet: cluster.statefulSets,
  };
  return Object.entries(lists).flatMap(([kind, objects]) =>
    objects.map((object): [keyof WorldKinds, WorldKinds[keyof WorldKinds]] => [
      kind as keyof WorldKinds,
      object,
    ]),
  );
}

export function worldOf(cluster: Cluster): World {
  const world = new World(cluster.profile);
  for (const [kind, object] of objectsOf(cluster)) world.set(kind, object);
  return world;
}

export function answersOf(cluster: Cluster, world = worldOf(cluster)): Answer[] {
  return cluster.asked.map((pod) => answerOf(pod, world));
}

function answerOf(pod: Pod, world: World): Answer {
  const { feasible, refused, message } = place(pod, world);
  return {
    feasible: Object.fromEntries(
      feasible.map(({ node, scores }) => [node, scores as Record<string, number>]),
    ),
    refused: Object.fromEntries(
      refused.map(({ node, rule, reasons }) => [node, { rule, reasons: reasons.toSorted() }]),
    ),
    message,
    error: '',
  };
}

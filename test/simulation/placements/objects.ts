import type { Collection, JsonObject } from '../../../lib/json/index.ts';

export const NODES: Collection = 'core/nodes';
export const NAMESPACE = 'default';
/** The capacity of each node, in whole processors: so little that pods compete for it. */
export const ROOM = 2;

/**
 * What a pod requests: `room`, a processor of a node; `alone`, a node without others of its app; `spread`, the emptier
 * zone.
 */
export type Wish = 'room' | 'alone' | 'spread';

export function nodeOf(name: string, zone: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, labels: { 'kubernetes.io/hostname': name, zone } },
    spec: {},
    status: { allocatable: { cpu: String(ROOM), memory: '8Gi', pods: '100' } },
  };
}

export interface WantedPod {
  readonly name: string;
  readonly uid: string;
  readonly wish: Wish;
  readonly app: string;
}

/** A pod as kube-apiserver stores it, with the fields that placement needs. */
export function podOf({ name, uid, wish, app }: WantedPod): JsonObject {
  const requests = { cpu: wish === 'room' ? '1' : '0' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NAMESPACE,
      uid,
      labels: { wish, app },
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      schedulerName: 'winnow',
      containers: [{ name: 'c', image: 'i', resources: { requests } }],
      ...constraints(wish, app),
    },
    status: { phase: 'Pending' },
  };
}

/** The constraints of a pod. Its anti-affinity names the app of its creation; its label may change later. */
function constraints(wish: Wish, app: string): JsonObject {
  switch (wish) {
    case 'room':
      return {};
    case 'alone':
      return {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [awayFrom(app)] } },
      };
    case 'spread':
      return { topologySpreadConstraints: [{ ...SPREAD, labelSelector: { matchLabels: { wish } } }] };
    default:
      return wish satisfies never;
  }
}

function awayFrom(app: string): JsonObject {
  return {
    labelSelector: { matchLabels: { app, wish: 'alone' } },
    topologyKey: 'kubernetes.io/hostname',
  };
}

const SPREAD: JsonObject = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

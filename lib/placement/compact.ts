import type { Pod } from './objects.ts';
import type { WorldKinds } from './world/index.ts';

/** The parts of a value to keep: all of it, these fields of an object, or these fields of each item of a list. */
type Shape = true | ShapeOfObject | readonly [Shape];
interface ShapeOfObject {
  readonly [field: string]: Shape;
}

const NAMED = { name: true, namespace: true } as const;
const CONTAINER: ShapeOfObject = {
  name: true,
  restartPolicy: true,
  resources: { requests: true },
  ports: [{ hostPort: true, hostIP: true, protocol: true }],
};
const STATUS: ShapeOfObject = { name: true, resources: { requests: true }, allocatedResources: true };
const SELECTING: ShapeOfObject = { metadata: NAMED, spec: { selector: true } };

/** The fields that placement reads of existing objects. Of the pod to place it reads more. */
const SHAPES: Readonly<Record<keyof WorldKinds, ShapeOfObject>> = {
  Node: {
    metadata: { name: true, labels: true },
    spec: { unschedulable: true, taints: true },
    status: { allocatable: true, images: [{ names: true, sizeBytes: true }] },
  },
  Pod: {
    metadata: { ...NAMED, labels: true, deletionTimestamp: true },
    spec: {
      nodeName: true,
      priority: true,
      affinity: { podAffinity: true, podAntiAffinity: true },
      containers: [CONTAINER],
      initContainers: [CONTAINER],
      overhead: true,
    },
    status: {
      phase: true,
      conditions: [{ type: true, reason: true }],
      containerStatuses: [STATUS],
      initContainerStatuses: [STATUS],
    },
  },
  Namespace: { metadata: { name: true, labels: true } },
  Service: SELECTING,
  ReplicationController: SELECTING,
  ReplicaSet: SELECTING,
  StatefulSet: SELECTING,
};

/**
 * A text that identifies the form of compact objects. Objects stored in another form may lack fields that the world
 * reads.
 */
export const COMPACT_FORM: string = JSON.stringify(SHAPES);

/**
 * Returns the fields of an object that a world reads. A world of compact objects gives the same answers. Undefined
 * for a pod
 * that does not count, and for a pod without a node, because placement may read any of its fields.
 */
export function compact<Kind extends keyof WorldKinds>(
  kind: Kind,
  object: WorldKinds[Kind],
): WorldKinds[Kind] | undefined {
  if (kind !== 'Pod') return kept(object, SHAPES[kind]) as WorldKinds[Kind];
  const { spec, status } = object as Pod;
  if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const conditions = status?.conditions?.filter(({ type }) => type === 'PodResizePending');
  return kept({ ...object, status: { ...status, conditions } }, SHAPES.Pod) as WorldKinds[Kind];
}

function kept(value: unknown, shape: Shape): unknown {
  if (shape === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return isList(shape) ? value.map((item) => kept(item, shape[0])) : value;
  if (isList(shape)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(shape).map(([field, part]) => [field, kept(fields[field], part)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined && part !== null));
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

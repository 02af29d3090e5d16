import type { Pod } from './objects.ts';
import type { WorldKinds } from './world/index.ts';

/** What is kept: all of it; of an object these fields; or of a list these fields of each item. */
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

/** What placing reads of what is there. Of a pod that is asked about it reads more. */
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

/** Another text for each form of compact objects: what was kept in one form is not all that a world of another reads. */
export const COMPACT_FORM: string = JSON.stringify(SHAPES);

/**
 * As little of an object as a world can be told in its place. The answers are the same. Undefined of a pod that counts
 * for nothing, and of one that has no node yet: of that everything may be asked.
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

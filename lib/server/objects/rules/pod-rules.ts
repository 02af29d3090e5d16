import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { qualityOf } from './pod-quality.ts';
import type { TypeRules } from './rules.ts';

/** The taints of node failures. A pod tolerates them for five minutes. */
const TROUBLES = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;
const PATIENCE_SECONDS = 300;
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** The rules of Pods: the changes of Kubernetes' admission and strategy to a pod that has its defaults. */
export const podRules: TypeRules = {
  prepare: async (body, old) => {
    const { spec, status } = body;
    if (!isJsonObject(spec)) return body;
    const tolerations = tolerated(spec, old);
    const tolerant = tolerations.length === 0 ? spec : { ...spec, tolerations };
    const known = objectAt(status ?? {});
    const merged = old === undefined ? await withLabelKeys(tolerant, body) : tolerant;
    return {
      ...body,
      spec: withPriority(merged, old),
      status: old === undefined ? newStatus(body, known) : withAddresses(known),
    };
  },
  validate: (body, old, subresource) => (subresource === 'resize' ? sameQuality(body, old) : []),
  initialStatus: { phase: 'Pending' },
};

async function withLabelKeys(spec: JsonObject, { metadata }: JsonObject): Promise<JsonObject> {
  if (spec.affinity === undefined) return spec;
  const { withMergedLabelKeys } = await import('./merged-label-keys.ts');
  return withMergedLabelKeys(spec, objectAt(objectAt(metadata).labels));
}

/** The status of a new pod. A gated pod gets a condition, because no scheduler processes it. */
function newStatus({ metadata, spec }: JsonObject, known: JsonObject): JsonObject {
  const status = { ...known, qosClass: qualityOf(objectAt(spec)) };
  if (objectsIn(objectAt(spec).schedulingGates).length === 0) return status;
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: objectAt(metadata).creationTimestamp ?? null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { ...status, conditions: [gated] };
}

/** The error for an update that changes the QoS class. Nodes rely on the class that the pod was created with. */
function sameQuality({ spec }: JsonObject, old: JsonObject | undefined): FieldError[] {
  const quality = qualityOf(objectAt(old?.spec));
  if (quality === qualityOf(objectAt(spec))) return [];
  const detail = 'Pod QOS Class may not change as a result of resizing';
  return [{ type: 'Invalid', field: 'spec', value: quality, detail }];
}

/** The status with `podIP` as the first of `podIPs`. */
function withAddresses(status: JsonObject): JsonObject {
  const { podIP = '', podIPs } = status;
  const [first] = objectsIn(podIPs);
  if (podIP !== '' && podIP !== first?.ip) return { ...status, podIPs: [{ ip: podIP }] };
  return first === undefined ? status : { ...status, podIP: first.ip ?? '' };
}

/** The tolerations with the default ones. An old pod without a default toleration does not get it on an update. */
function tolerated({ tolerations }: JsonObject, old: JsonObject | undefined): JsonValue[] {
  const own = objectsIn(tolerations);
  const before = old && objectsIn(objectAt(old.spec ?? {}).tolerations);
  const expected = TROUBLES.filter((key) => before?.some((one) => tolerates(one, key)) ?? true);
  const missing = expected.filter((key) => !own.some((one) => tolerates(one, key)));
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: PATIENCE_SECONDS,
  }));
  return [...own, ...added];
}

function tolerates({ key = '', effect = '' }: JsonObject, trouble: string): boolean {
  return (key === '' || key === trouble) && (effect === '' || effect === 'NoExecute');
}

/** The spec with its priority. A priority class that the system does not have stays as it was sent. */
function withPriority(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  const name = String(spec.priorityClassName ?? '');
  const known = name === '' ? 0 : SYSTEM_PRIORITIES[name];
  const priority = spec.priority ?? (old === undefined ? known : objectAt(old.spec ?? {}).priority);
  if (priority === undefined) return spec;
  return { ...spec, priority, preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority' };
}

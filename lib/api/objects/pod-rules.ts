import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../store/index.ts';
import type { TypeRules } from './type-rules.ts';

const RESOURCES = ['cpu', 'memory'] as const;
/** A pod outlives trouble with its node by five minutes. */
const TROUBLES = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;
const PATIENCE_SECONDS = 300;
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** What Kubernetes' admission and its strategy make of a pod that has its defaults. */
export const podRules: TypeRules = {
  prepare: (body, old) => {
    const { spec, status } = body;
    if (!isJsonObject(spec)) return body;
    const tolerations = tolerated(spec, old);
    const tolerant = tolerations.length === 0 ? spec : { ...spec, tolerations };
    const known = objectAt(status ?? {});
    return {
      ...body,
      spec: withPriority(tolerant, old),
      status: old === undefined ? { ...known, qosClass: qualityOf(spec) } : withAddresses(known),
    };
  },
  initialStatus: { phase: 'Pending' },
};

/** The address of a pod is the first of its addresses. */
function withAddresses(status: JsonObject): JsonObject {
  const { podIP = '', podIPs } = status;
  const [first] = listOf(podIPs);
  if (podIP !== '' && podIP !== first?.ip) return { ...status, podIPs: [{ ip: podIP }] };
  return first === undefined ? status : { ...status, podIP: first.ip ?? '' };
}

/** A pod from before this was so is not changed by a write to something else. */
function tolerated({ tolerations }: JsonObject, old: JsonObject | undefined): JsonValue[] {
  const own = listOf(tolerations);
  const before = old && listOf(objectAt(old.spec ?? {}).tolerations);
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

/** A named class that the system does not have is left as it was sent. */
function withPriority(spec: JsonObject, old: JsonObject | undefined): JsonObject {
  const name = String(spec.priorityClassName ?? '');
  const known = name === '' ? 0 : SYSTEM_PRIORITIES[name];
  const priority = spec.priority ?? (old === undefined ? known : objectAt(old.spec ?? {}).priority);
  if (priority === undefined) return spec;
  return { ...spec, priority, preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority' };
}

/** @see https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
function qualityOf(spec: JsonObject): string {
  const containers = [...listOf(spec.containers), ...listOf(spec.initContainers)].map(({ resources }) =>
    objectAt(resources ?? {}),
  );
  const asked = containers.flatMap(({ requests, limits }) => [
    objectAt(requests ?? {}),
    objectAt(limits ?? {}),
  ]);
  if (!asked.some((amounts) => RESOURCES.some((name) => isAmount(amounts[name])))) return 'BestEffort';
  const guaranteed = containers.every(({ requests, limits }) =>
    RESOURCES.every((name) => {
      const limit = objectAt(limits ?? {})[name];
      return isAmount(limit) && objectAt(requests ?? {})[name] === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function isAmount(quantity: JsonValue | undefined): boolean {
  return quantity !== undefined && quantity !== '0';
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

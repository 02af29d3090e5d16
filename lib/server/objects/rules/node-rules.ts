import { type JsonObject, objectAt, objectsIn } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
/** The taint for each status of the condition `Ready`. Taints keep schedulers away. */
const TAINTED_BY: Readonly<Record<string, string>> = { False: NOT_READY, Unknown: UNREACHABLE };

/**
 * The rules of Nodes. A new node is tainted. A write of the status adapts the taints to the condition `Ready`. In
 * Kubernetes, admission does the first, and the node controller the second, a moment later.
 * k8s.io/kubernetes/plugin/pkg/admission/nodetaint
 */
export const nodeRules = {
  prepare: (body, old, subresource) => {
    if (old === undefined) return tainted(withRanges(body), [NOT_READY]);
    const ready = readiness(body);
    if (subresource !== 'status' || ready === undefined) return body;
    // A node that was ready when it was created was tainted nevertheless, so a ready status always removes taints.
    if (ready !== 'True' && ready === readiness(old)) return body;
    return tainted(without(body), [TAINTED_BY[ready] ?? []].flat());
  },
} satisfies TypeRules;

/** The node with its only address range also in `podCIDRs`. */
function withRanges(node: JsonObject): JsonObject {
  const spec = objectAt(node.spec);
  const { podCIDR, podCIDRs } = spec;
  return podCIDR === undefined || podCIDRs !== undefined
    ? node
    : { ...node, spec: { ...spec, podCIDRs: [podCIDR] } };
}

function tainted(node: JsonObject, keys: readonly string[]): JsonObject {
  const taints = taintsOf(node);
  const missing = keys.filter((key) => !taints.some((taint) => isOurs(taint) && taint.key === key));
  return withTaints(node, [...taints, ...missing.map((key) => ({ key, effect: 'NoSchedule' }))]);
}

function without(node: JsonObject): JsonObject {
  return withTaints(
    node,
    taintsOf(node).filter((taint) => !isOurs(taint)),
  );
}

function isOurs({ key, effect }: JsonObject): boolean {
  return (key === NOT_READY || key === UNREACHABLE) && effect === 'NoSchedule';
}

function taintsOf({ spec }: JsonObject): JsonObject[] {
  const { taints } = objectAt(spec);
  return objectsIn(taints);
}

function withTaints(node: JsonObject, taints: JsonObject[]): JsonObject {
  const { taints: _taints, ...spec } = objectAt(node.spec);
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } };
}

function readiness({ status }: JsonObject): string | undefined {
  const ready = objectsIn(objectAt(status).conditions).find(({ type }) => type === 'Ready');
  return ready === undefined ? undefined : String(ready.status);
}

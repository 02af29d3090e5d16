import type { JsonObject } from '../../json/index.ts';
import { apiVersionOf, findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { EnsureOptions } from '../objects/index.ts';

/** The built-in classes, with Kubernetes' descriptions. */
const CLASSES: readonly JsonObject[] = [
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

/** Creates the PriorityClasses that every cluster has, if they are absent. */
export async function ensurePriorityClasses(options: EnsureOptions): Promise<void> {
  const { ensureObject } = await import('../objects/index.ts');
  const type = findResourceType('scheduling.k8s.io', 'v1', 'priorityclasses');
  if (type === undefined) throw new Error('the resource type priorityclasses is missing');
  const envelope = { apiVersion: apiVersionOf(type), kind: type.kind };
  for (const one of CLASSES) {
    await ensureObject(options, type, { ...envelope, ...one, preemptionPolicy: 'PreemptLowerPriority' });
  }
}

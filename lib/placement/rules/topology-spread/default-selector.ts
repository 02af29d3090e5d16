import { fromLabelSelector, nothing, SelectorError } from '../../../selectors/index.ts';
import type { OwnerReference } from '../../objects.ts';
import type { World } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import { both, type Matcher, matchLabels } from './matcher.ts';

/**
 * Returns the selector for pods without constraints of their own: the pods that the pod's Services and its controller
 * select.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#cluster-level-default-constraints
 */
export function defaultSelector(asked: AskedPod, world: World): Matcher {
  const wanted = new Map<string, string>();
  for (const { spec } of world.services.of(asked.namespace)) {
    const selector = Object.entries(spec?.selector ?? {});
    if (!selector.every(([key, value]) => asked.labels.get(key) === value)) continue;
    for (const [key, value] of selector) wanted.set(key, value);
  }
  const owner = asked.pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return matchLabels(wanted);
  const { namespace } = asked;
  const own = controllerLabels(owner, namespace, world);
  for (const [key, value] of Object.entries(own)) wanted.set(key, value);
  const selector = controllerSelector(owner, namespace, world);
  return selector === undefined ? matchLabels(wanted) : both(matchLabels(wanted), selector);
}

function controllerLabels(
  owner: OwnerReference,
  namespace: string,
  { replicationControllers }: World,
): Readonly<Record<string, string>> {
  if (owner.apiVersion !== 'v1' || owner.kind !== 'ReplicationController') return {};
  return replicationControllers.find(namespace, owner.name ?? '')?.spec?.selector ?? {};
}

function controllerSelector(
  { apiVersion, kind, name = '' }: OwnerReference,
  namespace: string,
  { replicaSets, statefulSets }: World,
): Matcher | undefined {
  if (apiVersion !== 'apps/v1' || (kind !== 'ReplicaSet' && kind !== 'StatefulSet')) return undefined;
  const owner = (kind === 'ReplicaSet' ? replicaSets : statefulSets).find(namespace, name);
  try {
    const selector = fromLabelSelector(owner?.spec?.selector);
    return selector === nothing ? undefined : selector;
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

import { fromLabelSelector } from '../../selectors/index.ts';
import type { NetworkPolicy, PolicyPeer, PolicyPort } from './objects.ts';
import type { PolicyName } from './reachability.ts';
import type { PodEnd } from './traffic.ts';

export type Direction = 'Ingress' | 'Egress';

/** A rule of either direction. */
export interface Rule {
  readonly peers: readonly PolicyPeer[];
  readonly ports: readonly PolicyPort[];
}

/**
 * Returns the policies that select a pod for a direction, sorted by name, because the verdict names the first policy
 * that allows. A policy without a podSelector selects every pod of its namespace.
 * @throws SelectorError
 */
export function policiesFor(
  direction: Direction,
  pod: PodEnd,
  policies: readonly NetworkPolicy[],
): NetworkPolicy[] {
  return policies
    .filter(
      (policy) =>
        policy.metadata?.namespace === pod.namespace &&
        policyTypesOf(policy).includes(direction) &&
        fromLabelSelector(policy.spec?.podSelector ?? {}).matches(pod.labels),
    )
    .toSorted((left, right) => compare(nameOf(left).name, nameOf(right).name));
}

export function nameOf({ metadata }: NetworkPolicy): PolicyName {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

export function rulesOf(direction: Direction, { spec }: NetworkPolicy): Rule[] {
  return direction === 'Ingress'
    ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from ?? [], ports: ports ?? [] }))
    : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to ?? [], ports: ports ?? [] }));
}

/**
 * Returns the policy's types. The default is ingress, plus egress if there are egress rules
 * (SetDefaults_NetworkPolicy).
 */
function policyTypesOf({ spec }: NetworkPolicy): readonly string[] {
  const { policyTypes, egress } = spec ?? {};
  if (policyTypes && policyTypes.length > 0) return policyTypes;
  return egress && egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

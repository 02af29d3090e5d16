import { fromLabelSelector } from '../../../selectors/index.ts';
import type { TopologySpreadConstraint } from '../../objects.ts';
import type { NodeState, Topology, World } from '../../world/index.ts';
import type { AskedPod } from '../asked-pod.ts';
import { defaultSelector } from './default-selector.ts';
import { both, type Matcher, matchLabels } from './matcher.ts';

export const HOSTNAME = 'kubernetes.io/hostname';

/** A constraint of the pod, or a default one. */
export interface Constraint {
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly topology: Topology;
  readonly matcher: Matcher;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** The default constraints, for a pod without its own. They never refuse a node. */
const SYSTEM_DEFAULTS: readonly TopologySpreadConstraint[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

/** @throws SelectorError a selector is invalid */
export function constraintsOf(
  asked: AskedPod,
  world: World,
  action: 'DoNotSchedule' | 'ScheduleAnyway',
): readonly Constraint[] {
  const given = asked.spec.topologySpreadConstraints ?? [];
  const wanted = (given.length > 0 ? given : SYSTEM_DEFAULTS).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === action,
  );
  if (given.length > 0) return wanted.map((one) => readConstraint(one, matcherOf(one, asked), world));
  if (wanted.length === 0) return [];
  const matcher = defaultSelector(asked, world);
  return matcher.isEmpty ? [] : wanted.map((one) => readConstraint(one, matcher, world));
}

/** Whether a node counts for a constraint. The constraint's policies may exclude nodes that the pod cannot use. */
export function isIncluded(
  node: NodeState,
  { honorsAffinity, honorsTaints }: Constraint,
  asked: AskedPod,
): boolean {
  if (honorsAffinity && !asked.admits(node)) return false;
  return !honorsTaints || asked.untoleratedTaint(node) === undefined;
}

export function hasAllLabels(node: NodeState, constraints: readonly Constraint[]): boolean {
  for (const { topology } of constraints) if (topology.idOf(node) < 0) return false;
  return true;
}

/** Returns the number of matching pods of the pod's namespace on each node, by slot. */
export function countByNode(matcher: Matcher, { namespace }: AskedPod, world: World): Float64Array {
  const counts = new Float64Array(world.nodes.slots);
  if (matcher.isEmpty) return counts;
  for (const { labels, isTerminating, nodes } of world.groups.of(namespace)) {
    if (!isTerminating && matcher.matches(labels)) nodes.countByNode(counts);
  }
  return counts;
}

function readConstraint(given: TopologySpreadConstraint, matcher: Matcher, world: World): Constraint {
  return {
    maxSkew: given.maxSkew,
    minDomains: given.minDomains ?? 1,
    topology: world.nodes.topology(given.topologyKey),
    matcher,
    honorsAffinity: (given.nodeAffinityPolicy ?? 'Honor') === 'Honor',
    honorsTaints: (given.nodeTaintsPolicy ?? 'Ignore') === 'Honor',
  };
}

/** Returns the selector plus the pod's own labels that `matchLabelKeys` names. */
function matcherOf(
  { labelSelector, matchLabelKeys }: TopologySpreadConstraint,
  { labels }: AskedPod,
): Matcher {
  const selector = fromLabelSelector(labelSelector);
  const own = new Map<string, string>();
  for (const key of matchLabelKeys ?? []) {
    const value = labels.get(key);
    if (value !== undefined) own.set(key, value);
  }
  return own.size === 0 ? selector : both(selector, matchLabels(own));
}

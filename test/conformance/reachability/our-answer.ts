import { type End, reach, type Verdict } from '../../../lib/kubernetes/reachability/index.ts';
import type { Connection, World, WorldEnd } from './worlds.ts';

/** The compared parts of an answer. */
export interface Answer {
  readonly egress: AnswerDirection;
  readonly ingress: AnswerDirection;
}

export interface AnswerDirection {
  readonly decision: string;
  readonly selectedBy: readonly string[];
  /** The rule that decides, if one does. */
  readonly rule: { readonly policy: string; readonly index: number } | undefined;
}

export function answersOf(world: World): Answer[] {
  return world.asked.map((asked) => {
    const { egress, ingress } = reach(trafficOf(world, asked), world.policies);
    return { egress: directionOf(egress), ingress: directionOf(ingress) };
  });
}

export function trafficOf(world: World, { from, to, port, protocol }: Connection) {
  return { from: endOf(world, from), to: endOf(world, to), port, protocol };
}

function endOf({ namespaces, pods }: World, { pod, address }: WorldEnd): End {
  const own = pod === undefined ? undefined : pods[pod];
  if (own === undefined) return { address };
  return {
    ...own,
    namespaceLabels: namespaces[own.namespace] ?? {},
    addresses: [address],
    nodeAddresses: [],
    hostNetwork: false,
  };
}

function directionOf({ decision, selectedBy, policy, rule: index }: Verdict): AnswerDirection {
  return {
    decision,
    selectedBy: selectedBy.map(({ name }) => name),
    rule: policy === undefined || index === undefined ? undefined : { policy: policy.name, index },
  };
}

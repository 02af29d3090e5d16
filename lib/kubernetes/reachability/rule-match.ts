import { fromLabelSelector } from '../../selectors/index.ts';
import { blockHas } from './addresses.ts';
import type { PolicyPeer, PolicyPort } from './objects.ts';
import type { Rule } from './policies.ts';
import { type End, isPod, type PodEnd, type Traffic } from './traffic.ts';

/** Whether a rule allows a connection, or why the result is unknown. */
export type Match = 'Yes' | 'No' | 'HostNetwork' | 'NoAddress';

/** The other end, as a policy evaluates it. */
export interface Opposite {
  readonly end: End;
  /** The address of the other end, if it has one. */
  readonly address: string | undefined;
}

/** A connection from the view of the end whose policies are evaluated. */
export interface Seen {
  readonly opposite: Opposite;
  readonly traffic: Traffic;
}

/**
 * Whether a rule allows a connection. One of its ports and one of its peers must match; an empty list matches all.
 * @param namespace of the policy
 * @throws SelectorError
 */
export function matchRule(rule: Rule, namespace: string, { opposite, traffic }: Seen): Match {
  const { peers, ports } = rule;
  if (ports.length > 0 && !ports.some((port) => portHas(port, traffic))) return 'No';
  if (peers.length === 0) return 'Yes';
  const matches = peers.map((peer) => matchPeer(peer, namespace, opposite));
  return matches.find((match) => match === 'Yes') ?? matches.find((match) => match !== 'No') ?? 'No';
}

/**
 * Whether a port of a rule matches. Port names are those of the destination's containers; an address has no port names.
 */
function portHas({ protocol, port, endPort }: PolicyPort, traffic: Traffic): boolean {
  if ((protocol ?? 'TCP') !== traffic.protocol) return false;
  if (port === undefined || port === null) return true;
  if (typeof port === 'number') return port <= traffic.port && traffic.port <= (endPort ?? port);
  return portsOf(traffic.to).some(
    (own) => own.name === port && own.port === traffic.port && own.protocol === traffic.protocol,
  );
}

const portsOf = (end: End) => (isPod(end) ? end.ports : []);

function matchPeer(peer: PolicyPeer, namespace: string, { end, address }: Opposite): Match {
  if (peer.ipBlock) {
    if (address === undefined) return 'NoAddress';
    return blockHas(peer.ipBlock, address) ? 'Yes' : 'No';
  }
  if (!isPod(end) || !selectsPod(peer, namespace, end)) return 'No';
  return end.hostNetwork ? 'HostNetwork' : 'Yes';
}

/**
 * Whether a peer selects a pod. Without a namespaceSelector it covers the policy's own namespace; without a
 * podSelector, all pods of the namespaces.
 */
function selectsPod({ podSelector, namespaceSelector }: PolicyPeer, namespace: string, pod: PodEnd): boolean {
  const isNamespace =
    namespaceSelector === undefined || namespaceSelector === null
      ? pod.namespace === namespace
      : fromLabelSelector(namespaceSelector).matches(pod.namespaceLabels);
  return isNamespace && fromLabelSelector(podSelector ?? {}).matches(pod.labels);
}

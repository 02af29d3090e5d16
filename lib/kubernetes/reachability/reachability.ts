/**
 * Whether a connection is possible. `Unspecified`: NetworkPolicies do not define it, or too little is known about an
 * end.
 */
export type Decision = 'Allowed' | 'Denied' | 'Unspecified';

export interface PolicyName {
  readonly namespace: string;
  readonly name: string;
}

/** The reason for the decision about a direction. */
export type Cause =
  /** No policy selects the pod for this direction, so it is not isolated. */
  | 'NotIsolated'
  /** A rule allows it. */
  | 'RuleAllows'
  /** Policies select the pod, but none of their rules allows the connection. */
  | 'NoRuleAllows'
  /** This end is an address outside the cluster's pods. Policies apply to pods only. */
  | 'NotAPod'
  /** Both ends are the same pod, which cannot block access to itself. */
  | 'SamePod'
  /** The other end is the pod's node, whose traffic is always allowed. */
  | 'OwnNode'
  /** The pod uses its node's network. The network plugin decides how policies treat it. */
  | 'HostNetwork'
  /** The address belongs to a Service. The network plugin decides whether it is rewritten before policies apply. */
  | 'ServiceAddress'
  /** A rule allows a range of addresses, and the pod at the other end has no address yet. */
  | 'NoAddress'
  /** Allowed with addresses of one family, but not with those of the other. */
  | 'DiffersByFamily';

/** The verdict for one direction: egress of the source, or ingress of the destination. */
export interface Verdict {
  readonly decision: Decision;
  readonly cause: Cause;
  /** The verdict in a sentence. */
  readonly message: string;
  /** The policy of the rule that decides, or would decide if more were known. */
  readonly policy?: PolicyName;
  /** The index of the rule in the policy's `ingress` or `egress`, from 0. */
  readonly rule?: number;
  /** The policies that select this end for this direction, sorted. */
  readonly selectedBy: readonly PolicyName[];
}

/** The verdicts of both directions. A connection needs both. */
export interface Reachability {
  readonly decision: Decision;
  readonly egress: Verdict;
  readonly ingress: Verdict;
}

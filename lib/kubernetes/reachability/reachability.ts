/** Whether a connection comes about. `Unspecified`: NetworkPolicies do not say, or not enough is known of an end. */
export type Decision = 'Allowed' | 'Denied' | 'Unspecified';

export interface PolicyName {
  readonly namespace: string;
  readonly name: string;
}

/** Why a direction was decided as it was. */
export type Cause =
  /** No policy selects the pod for this direction: it is not isolated. */
  | 'NotIsolated'
  /** A rule allows it. */
  | 'RuleAllows'
  /** Policies select the pod, and none of their rules allows it. */
  | 'NoRuleAllows'
  /** This end is an address outside: policies are about pods. */
  | 'NotAPod'
  /** Both ends are the same pod, which cannot block access to itself. */
  | 'SamePod'
  /** The other end is the node of the pod, whose traffic is always allowed. */
  | 'OwnNode'
  /** A pod with its node's network: what policies are to it is the network plugin's affair. */
  | 'HostNetwork'
  /** The address of a Service: whether it is rewritten before policies are looked at is the network plugin's affair. */
  | 'ServiceAddress'
  /** A rule allows a range of addresses, and the pod at the other end has no address yet. */
  | 'NoAddress'
  /** Allowed with addresses of one family and not with the other. */
  | 'DiffersByFamily';

/** One direction: egress of the source, or ingress of the destination. */
export interface Verdict {
  readonly decision: Decision;
  readonly cause: Cause;
  /** The same in a sentence. */
  readonly message: string;
  /** Where a rule decides, or would if more were known: whose it is. */
  readonly policy?: PolicyName;
  /** Its place in the policy's `ingress` or `egress`, from 0. */
  readonly rule?: number;
  /** The policies that select this end for this direction, sorted. */
  readonly selectedBy: readonly PolicyName[];
}

/** Both directions have to allow a connection. */
export interface Reachability {
  readonly decision: Decision;
  readonly egress: Verdict;
  readonly ingress: Verdict;
}

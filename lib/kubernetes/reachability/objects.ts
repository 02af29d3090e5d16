/**
 * The fields of a NetworkPolicy that are read. Policies are validated, as kube-apiserver stores them. Other fields
 * are ignored. Null counts as absent.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
 */
export interface NetworkPolicy {
  readonly metadata?: Maybe<{ readonly namespace?: string; readonly name?: string }>;
  readonly spec?: Maybe<{
    readonly podSelector?: unknown;
    readonly policyTypes?: List<string>;
    readonly ingress?: List<IngressRule>;
    readonly egress?: List<EgressRule>;
  }>;
}

export interface IngressRule {
  readonly from?: List<PolicyPeer>;
  readonly ports?: List<PolicyPort>;
}

export interface EgressRule {
  readonly to?: List<PolicyPeer>;
  readonly ports?: List<PolicyPort>;
}

/** A peer: either an ipBlock, or one or both of the selectors. */
export interface PolicyPeer {
  readonly podSelector?: unknown;
  readonly namespaceSelector?: unknown;
  readonly ipBlock?: Maybe<IpBlock>;
}

export interface IpBlock {
  readonly cidr?: string;
  readonly except?: List<string>;
}

export interface PolicyPort {
  readonly protocol?: Maybe<string>;
  readonly port?: Maybe<number | string>;
  readonly endPort?: Maybe<number>;
}

type Maybe<T> = T | null | undefined;
type List<T> = Maybe<readonly T[]>;

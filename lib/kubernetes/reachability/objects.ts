/**
 * What is read of NetworkPolicies, as kube-apiserver stores them: validated. Whatever else they have may stay in them.
 * What is null is as if it were not there.
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

/** Either an ipBlock, or one of the selectors, or both. */
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

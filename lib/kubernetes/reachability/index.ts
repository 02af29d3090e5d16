/**
 * Decides whether NetworkPolicies (networking.k8s.io/v1) allow one end to reach another, and by which rule. It does
 * no I/O and imports only the selectors of Kubernetes.
 */
export { familyOf, type IpFamily, isMappedAddress, isSameAddress } from './addresses.ts';
export type { NetworkPolicy } from './objects.ts';
export { reach } from './reach.ts';
export type { Reachability, Verdict } from './reachability.ts';
export type { ContainerPort, End, PodEnd, Protocol, Traffic } from './traffic.ts';

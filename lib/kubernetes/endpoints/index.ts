/**
 * Derives the endpoints of Services as kube-controller-manager does: EndpointSlices (discovery.k8s.io/v1) and
 * Endpoints (v1). Pure: no I/O, no imports from outside this folder.
 */
export { canonicalAddress } from './addresses.ts';
export type { Changes } from './changes.ts';
export { type DerivedEndpoints, deriveEndpoints, type Known } from './derive-endpoints.ts';
export { MANAGER } from './manager.ts';
export type { EndpointSlice, Endpoints, Node, Pod, Service } from './objects.ts';

/**
 * The endpoints that Services should have, as EndpointSlices (discovery.k8s.io/v1) and Endpoints (v1), as
 * kube-controller-manager makes them. Pure: no input or output, nothing imported from outside this folder.
 */
export type { Changes } from './changes.ts';
export { type DerivedEndpoints, deriveEndpoints, type Known } from './derive-endpoints.ts';
export { MANAGER } from './manager.ts';
export type { EndpointSlice, Endpoints, Node, Pod, Service } from './objects.ts';

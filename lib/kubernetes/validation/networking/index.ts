/** The validation rules of Services, Endpoints, EndpointSlices and the kinds of networking.k8s.io. */
export { endpointSlice, endpointSliceUpdate, endpoints } from './endpoints.ts';
export { ingress, ingressClass, ingressClassUpdate } from './ingresses.ts';
export { networkPolicy } from './network-policies.ts';
export { ipAddress, ipAddressUpdate, serviceRanges, serviceRangesUpdate } from './service-ranges.ts';
export { service, serviceUpdate } from './services.ts';

import { type AddressType, addressesOf } from './addresses.ts';
import type { Endpoint, Node, ObjectReference, Pod, Service } from './objects.ts';

const ZONE = 'topology.kubernetes.io/zone';
const TERMINAL = ['Failed', 'Succeeded'];

/** Whether a pod can be an endpoint: it has an address and has not ended. */
export function isEndpoint({ status }: Pod): boolean {
  const hasAddress = Boolean(status?.podIP) || (status?.podIPs ?? []).length > 0;
  return hasAddress && !TERMINAL.includes(status?.phase ?? '');
}

export function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).find(({ type }) => type === 'Ready')?.status === 'True';
}

/** Returns the pod as an endpoint of a Service in one family, with its node if that is known. */
export function podEndpoint({ service, pod, node, addressType }: EndpointSource): Endpoint {
  const serving = isReady(pod);
  const terminating = Boolean(pod.metadata.deletionTimestamp);
  const ready = Boolean(service.spec?.publishNotReadyAddresses) || (serving && !terminating);
  const endpoint = {
    addresses: addressesOf(pod, addressType).toSorted(),
    conditions: { ready, serving, terminating },
    targetRef: referenceTo(pod),
  };
  const nodeName = pod.spec?.nodeName;
  const zone = node?.metadata.labels?.[ZONE];
  const hostname = hostnameFor(service, pod);
  return Object.assign(endpoint, nodeName && { nodeName }, zone && { zone }, hostname && { hostname });
}

interface EndpointSource {
  readonly service: Service;
  readonly pod: Pod;
  readonly node: Node | undefined;
  readonly addressType: AddressType;
}

/** Returns the hostname of an endpoint. A pod with the Service as its subdomain has its own DNS name. */
export function hostnameFor(service: Service, { metadata, spec }: Pod): string | undefined {
  const isNamed =
    spec?.subdomain === service.metadata.name && service.metadata.namespace === metadata.namespace;
  return isNamed && spec.hostname ? spec.hostname : undefined;
}

export function referenceTo({ metadata: { namespace, name, uid } }: Pod): ObjectReference {
  return uid === undefined ? { kind: 'Pod', namespace, name } : { kind: 'Pod', namespace, name, uid };
}

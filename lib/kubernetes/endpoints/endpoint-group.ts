import { isDeepStrictEqual } from 'node:util';
import type { AddressType } from './addresses.ts';
import { compare } from './compare.ts';
import type { Endpoint, EndpointPort, Node, Pod, Service } from './objects.ts';
import { isEndpoint, podEndpoint } from './pod-endpoint.ts';
import { portsAt, portsKey } from './ports.ts';

/** A Service and the objects that it selects. */
export interface Selected {
  readonly service: Service;
  /** The pods that its selector matches. */
  readonly pods: readonly Pod[];
  /** The nodes by name. Some may be missing. */
  readonly nodes: ReadonlyMap<string, Node>;
}

/** The pods that offer a Service at the same ports. They share slices. */
export interface EndpointGroup {
  readonly key: string;
  readonly ports: readonly EndpointPort[];
  /** The endpoints by {@link endpointKey}. */
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * Groups the endpoints of a Service in one family by their ports. Unlike in Kubernetes, a pod with an unknown node
 * counts, because an inventory may have no nodes.
 */
export function endpointGroups(
  { service, pods, nodes }: Selected,
  addressType: AddressType,
): EndpointGroup[] {
  const groups = new Map<string, EndpointGroup>();
  const running = pods.filter(isEndpoint);
  for (const pod of running.toSorted((left, right) => compare(left.metadata.name, right.metadata.name))) {
    const ports = portsAt(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { key, ports, endpoints: new Map() };
    groups.set(key, group);
    const node = nodes.get(pod.spec?.nodeName ?? '');
    const endpoint = podEndpoint({ service, pod, node, addressType });
    if (endpoint.addresses.length > 0) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return [...groups.values()];
}

/** Returns the identity of an endpoint. If its conditions or its node change, it keeps its identity and its slice. */
export function endpointKey({ addresses, hostname, targetRef }: Endpoint): string {
  const { namespace, name } = targetRef ?? {};
  return JSON.stringify([addresses.toSorted(), hostname ?? '', namespace ?? '', name ?? '']);
}

/** Whether two versions of one endpoint have equal contents. */
export function saysTheSame(left: Endpoint, right: Endpoint): boolean {
  return isDeepStrictEqual(saidBy(left), saidBy(right));
}

function saidBy({ nodeName, zone, conditions, targetRef }: Endpoint) {
  const { ready, serving, terminating } = conditions ?? {};
  const { kind, namespace, name, uid } = targetRef ?? {};
  return [nodeName, zone, ready, serving, terminating, kind, namespace, name, uid].map(
    (value) => value ?? null,
  );
}

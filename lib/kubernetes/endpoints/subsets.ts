import { addressesOf, addressTypesOf } from './addresses.ts';
import { compare } from './compare.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from './objects.ts';
import { hostnameFor, isEndpoint, isReady, referenceTo } from './pod-endpoint.ts';
import { comparePorts, portsAt, portsKey } from './ports.ts';

/** A subset in which both lists are always present, even if empty. */
export interface Subset {
  readonly addresses: readonly EndpointAddress[];
  readonly notReadyAddresses: readonly EndpointAddress[];
  readonly ports: readonly EndpointPort[];
}

/** The pods that offer a port, by address and uid. */
type Offers = Map<string, { readonly address: EndpointAddress; readonly ready: boolean }>;

/**
 * Returns the subsets of a Service's Endpoints, in its first family. Ports that the same pods offer share a subset.
 * Subsets are sorted by ports, addresses by address.
 *
 * @see RepackSubsets of k8s.io/kubernetes/pkg/api/v1/endpoints
 */
export function subsetsOf(service: Service, pods: readonly Pod[]): Subset[] {
  const subsets = new Map<string, { readonly offers: Offers; readonly ports: EndpointPort[] }>();
  for (const { port, offers } of offersOf(service, pods)) {
    const key = JSON.stringify([...offers.keys()].toSorted(compare));
    const subset = subsets.get(key) ?? { offers, ports: [] };
    subsets.set(key, subset);
    if (port !== undefined) subset.ports.push(port);
  }
  return [...subsets.values()]
    .map(({ offers, ports }) => subset(offers, ports.toSorted(comparePorts)))
    .toSorted((left, right) => compare(portsKey(left.ports), portsKey(right.ports)));
}

/** Returns the stored form of a subset, without empty lists. */
export function stored({ addresses, notReadyAddresses, ports }: Subset): EndpointSubset {
  const lists: EndpointSubset[] = [];
  if (addresses.length > 0) lists.push({ addresses });
  if (notReadyAddresses.length > 0) lists.push({ notReadyAddresses });
  if (ports.length > 0) lists.push({ ports });
  return Object.assign({}, ...lists);
}

/** Returns the offers by port. Those of a headless Service without ports have an undefined port. */
function offersOf(service: Service, pods: readonly Pod[]) {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly offers: Offers }>();
  for (const pod of pods.filter(isEndpoint)) {
    const address = addressOf(service, pod);
    if (address === undefined || !isListed(service, pod)) continue;
    const ready = Boolean(service.spec?.publishNotReadyAddresses) || isReady(pod);
    for (const port of portsOf(service, pod)) {
      const key = port === undefined ? '' : portsKey([port]);
      const known = byPort.get(key) ?? { port, offers: new Map() };
      byPort.set(key, known);
      known.offers.set(JSON.stringify([address.ip, pod.metadata.uid ?? '']), { address, ready });
    }
  }
  return byPort.values();
}

/** Whether a pod is listed. Pods that are being deleted are not, unless unready addresses are published. */
function isListed({ spec }: Service, { metadata }: Pod): boolean {
  return Boolean(spec?.publishNotReadyAddresses) || !metadata.deletionTimestamp;
}

function portsOf(service: Service, pod: Pod): (EndpointPort | undefined)[] {
  if ((service.spec?.ports ?? []).length > 0) return portsAt(service, pod).map(named);
  return service.spec?.clusterIP === 'None' ? [undefined] : [];
}

/** Removes an empty port name, which slices keep. */
function named({ name, ...port }: EndpointPort): EndpointPort {
  return name ? { name, ...port } : port;
}

function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const [type = 'IPv4'] = addressTypesOf(service);
  const [ip] = addressesOf(pod, type);
  if (ip === undefined) return undefined;
  const nodeName = pod.spec?.nodeName;
  const hostname = hostnameFor(service, pod);
  return Object.assign(
    { ip, targetRef: referenceTo(pod) },
    nodeName && { nodeName },
    hostname && { hostname },
  );
}

function subset(offers: Offers, ports: readonly EndpointPort[]): Subset {
  const all = [...offers.values()].toSorted(
    ({ address: left }, { address: right }) =>
      compare(left.ip, right.ip) || compare(left.targetRef?.uid ?? '', right.targetRef?.uid ?? ''),
  );
  const of = (wanted: boolean) => all.filter(({ ready }) => ready === wanted).map(({ address }) => address);
  return { addresses: of(true), notReadyAddresses: of(false), ports };
}

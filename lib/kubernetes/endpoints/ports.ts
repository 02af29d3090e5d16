import { compare } from './compare.ts';
import type { Container, EndpointPort, Pod, Service, ServicePort } from './objects.ts';

/**
 * Returns the ports of a Service at one of its pods, sorted. Ports that the pod does not have are omitted, such as a
 * named port of another container.
 */
export function portsAt(service: Service, pod: Pod): EndpointPort[] {
  const ports = (service.spec?.ports ?? []).flatMap((port) => {
    const number = numberAt(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
  return sorted(ports);
}

/** Returns a key that is equal for equal ports in any order. */
export function portsKey(ports: readonly EndpointPort[]): string {
  return JSON.stringify(sorted(ports).map(partsOf));
}

export function comparePorts(left: EndpointPort, right: EndpointPort): number {
  const [name, protocol, port, appProtocol] = partsOf(left);
  const [otherName, otherProtocol, otherPort, otherAppProtocol] = partsOf(right);
  return (
    compare(name, otherName) ||
    compare(protocol, otherProtocol) ||
    port - otherPort ||
    compare(appProtocol, otherAppProtocol)
  );
}

function partsOf({ name, protocol, port, appProtocol }: EndpointPort) {
  return [name ?? '', protocol ?? 'TCP', port ?? 0, appProtocol ?? ''] as const;
}

function sorted(ports: readonly EndpointPort[]): EndpointPort[] {
  return ports.toSorted(comparePorts);
}

function endpointPort({ name, protocol, appProtocol }: ServicePort, port: number): EndpointPort {
  const known = { name: name ?? '', port, protocol: protocol ?? 'TCP' };
  return appProtocol ? { ...known, appProtocol } : known;
}

/** Returns the port number at the pod. Named ports are looked up in all containers, including sidecars. */
function numberAt({ spec }: Pod, { targetPort, port, protocol }: ServicePort): number | undefined {
  const target = targetPort ?? port;
  if (typeof target === 'number') return target;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const open = [...(spec?.containers ?? []), ...sidecars].flatMap(
    (container: Container) => container.ports ?? [],
  );
  const found = open.find((one) => one.name === target && (one.protocol ?? 'TCP') === (protocol ?? 'TCP'));
  return found?.containerPort;
}

import { compare } from './compare.ts';
import type { Container, EndpointPort, Pod, Service, ServicePort } from './objects.ts';

/**
 * The ports of a Service at one of its pods, sorted. What is not found at the pod, a named port of another container
 * say, is left out.
 */
export function portsAt(service: Service, pod: Pod): EndpointPort[] {
  const ports = (service.spec?.ports ?? []).flatMap((port) => {
    const number = numberAt(pod, port);
    return number === undefined ? [] : [endpointPort(port, number)];
  });
  return sorted(ports);
}

/** One text for the same ports, in whatever order they stand. */
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

/** Named ports are looked for in all containers, sidecars among them. */
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

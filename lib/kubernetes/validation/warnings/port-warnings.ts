import type { JsonObject } from '../../../json/index.ts';
import { child, index } from '../../field-errors/index.ts';
import { numberOf, objectsOf, textOf } from '../reading.ts';

/** A container and its path: `spec.containers[0]`. */
export type Located = readonly [path: string, container: JsonObject];

interface Port {
  readonly at: number;
  readonly path: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** The ports so far with one number and protocol: by host port, and then by host address. */
type Ports = Map<number, Map<string, Port[]>>;

/** Warns of ports of one pod that are there twice, overlap, or are ambiguous on their node. */
export function* portWarnings(containers: readonly Located[]): Generator<string> {
  const all = new Map<string, Ports>();
  let at = 0;
  for (const [path, port] of portsOf(containers)) {
    const own = { at, path, hostIP: textOf(port.hostIP), hostPort: numberOf(port.hostPort) };
    at += 1;
    if (own.hostIP !== '' && own.hostPort === 0) {
      yield `${path}: hostIP set without hostPort: ${goPort(port)}`;
    }
    const key = `${numberOf(port.containerPort)}/${textOf(port.protocol)}`;
    const others = all.get(key) ?? new Map<number, Map<string, Port[]>>();
    all.set(key, others);
    for (const other of related(others, own)) yield* pairWarning(own, other);
    add(others, own);
  }
}

/** Warns of names that several ports of one pod have. */
export function* portNameWarnings(containers: readonly Located[]): Generator<string> {
  const first = new Map<string, string>();
  for (const [path, port] of portsOf(containers)) {
    const name = textOf(port.name);
    const other = first.get(name);
    if (name !== '' && other !== undefined) {
      yield `${path}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`;
    }
    first.set(name, other ?? path);
  }
}

function* portsOf(containers: readonly Located[]): Generator<readonly [path: string, port: JsonObject]> {
  for (const [path, { ports }] of containers) {
    for (const [at, port] of objectsOf(ports).entries()) yield [index(child(path, 'ports'), at), port];
  }
}

/**
 * Returns the ports of which {@link pairWarning} warns, in their order. Two ports with different addresses, or with
 * different host ports, are none: a pod may have thousands of these.
 */
function related(others: Ports, { hostIP, hostPort }: Port): Port[] {
  if (hostPort === 0) return inOrder([...others.values()].flatMap((byIP) => [...byIP.values()]));
  const same = others.get(hostPort);
  const unbound = [...(others.get(0)?.values() ?? [])];
  if (hostIP === '') return inOrder([...unbound, ...(same?.values() ?? [])]);
  return inOrder([...unbound, same?.get('') ?? [], same?.get(hostIP) ?? []]);
}

function inOrder(ports: readonly (readonly Port[])[]): Port[] {
  return ports.flat().sort((one, other) => one.at - other.at);
}

function add(others: Ports, port: Port): void {
  const byIP = others.get(port.hostPort) ?? new Map<string, Port[]>();
  const same = byIP.get(port.hostIP) ?? [];
  same.push(port);
  others.set(port.hostPort, byIP.set(port.hostIP, same));
}

function* pairWarning({ path, hostIP, hostPort }: Port, other: Port): Generator<string> {
  if (hostIP === other.hostIP && hostPort === other.hostPort) {
    yield `${path}: duplicate port definition with ${other.path}`;
  } else if (hostPort === 0 || other.hostPort === 0) {
    yield `${path}: overlapping port definition with ${other.path}`;
  } else {
    yield `${path}: dangerously ambiguous port definition with ${other.path}`;
  }
}

/** Returns a port as Go prints it with `%+v`. */
function goPort({ name, hostPort, containerPort, protocol, hostIP }: JsonObject): string {
  return `{Name:${textOf(name)} HostPort:${numberOf(hostPort)} ContainerPort:${numberOf(containerPort)} Protocol:${textOf(protocol)} HostIP:${textOf(hostIP)}}`;
}

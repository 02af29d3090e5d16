import type { JsonObject } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { needsHealthPort, needsNodePorts, numberOf, portsOf } from '../../objects/index.ts';
import type { Allotted, Allotting } from './allotment.ts';
import { portName } from './claims.ts';
import { isNodePort, NODE_PORTS } from './ranges.ts';

const FULL = 'range is full';

/** Whether ports without a node port get one. */
const givesNodePorts = ({ type, allocateLoadBalancerNodePorts: gives }: JsonObject) =>
  !(type === 'LoadBalancer' && gives === false);

/** Allocates the node ports of a Service, and the port on which its load balancer checks health. */
export async function allocatePorts(spec: JsonObject, allotting: Allotting): Promise<Allotted> {
  const ports = needsNodePorts(spec) ? await nodePorts(spec, allotting) : { spec };
  if ('error' in ports || !needsHealthPort(ports.spec)) return ports;
  return healthPort(ports.spec, allotting);
}

async function nodePorts(spec: JsonObject, allotting: Allotting): Promise<Allotted> {
  const known = knownPorts(allotting.before);
  const ports = portsOf(spec);
  const given: JsonObject[] = [];
  for (const [at, port] of ports.entries()) {
    const field = `spec.ports[${at}].nodePort`;
    // In a new Service, entries with the same port (TCP and UDP) share one node port. A later entry may request it.
    const others = allotting.before === undefined ? [...given, ...ports.slice(at)] : [];
    const asked = numberOf(port.nodePort) || sharedPort(port, others);
    if (asked === 0 && !givesNodePorts(spec)) {
      given.push(port);
      continue;
    }
    const number = asked === 0 ? await anyPort(allotting) : asked;
    const error =
      asked === 0 ? fullError(field, number) : await claimError({ field, number: asked, known }, allotting);
    if (error !== undefined) return { error };
    given.push(number === undefined || number === 0 ? port : { ...port, nodePort: number });
  }
  return { spec: { ...spec, ports: given } };
}

/** Chooses a free port; 0 for a dry run. */
async function anyPort({ claims, dryRun }: Allotting): Promise<number | undefined> {
  return dryRun ? 0 : claims.anyPort();
}

function sharedPort({ port }: JsonObject, others: readonly JsonObject[]): number {
  return numberOf(others.find((other) => other.port === port && numberOf(other.nodePort) !== 0)?.nodePort);
}

function knownPorts(before: JsonObject | undefined): ReadonlySet<number> {
  if (before === undefined) return new Set();
  const ports = portsOf(before).map(({ nodePort }) => numberOf(nodePort));
  return new Set([...ports, numberOf(before.healthCheckNodePort)]);
}

interface WantedPort {
  readonly field: string;
  readonly number: number;
  /** The ports that the Service already has. */
  readonly known: ReadonlySet<number>;
}

async function claimError(
  { field, number, known }: WantedPort,
  { claims }: Allotting,
): Promise<FieldError | undefined> {
  if (known.has(number)) {
    await claims.claim(portName(number));
    return undefined;
  }
  if (!isNodePort(number)) {
    const range = `The range of valid ports is ${NODE_PORTS.from}-${NODE_PORTS.to}`;
    return {
      type: 'Invalid',
      field,
      value: number,
      detail: `provided port is not in the valid range. ${range}`,
    };
  }
  if (await claims.claim(portName(number))) return undefined;
  return { type: 'Invalid', field, value: number, detail: 'provided port is already allocated' };
}

function fullError(field: string, found: number | undefined): FieldError | undefined {
  return found === undefined ? { type: 'Invalid', field, value: 0, detail: FULL } : undefined;
}

async function healthPort(spec: JsonObject, allotting: Allotting): Promise<Allotted> {
  const field = 'spec.healthCheckNodePort';
  const asked = numberOf(spec.healthCheckNodePort);
  if (asked !== 0) {
    const known = knownPorts(allotting.before);
    const error = await claimError({ field, number: asked, known }, allotting);
    return error === undefined ? { spec } : { error };
  }
  const number = await anyPort(allotting);
  const error = fullError(field, number);
  if (error !== undefined) return { error };
  return { spec: number === 0 ? spec : { ...spec, healthCheckNodePort: number ?? 0 } };
}

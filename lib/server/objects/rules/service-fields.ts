import { type JsonObject, jsonEquals } from '../../../json/index.ts';
import { needsHealthPort, needsNodePorts, numberOf, portsOf } from './service-needs.ts';

/** The fields that only an externally reachable Service may have, and those that only a load balancer may have. */
const REACHED = ['externalTrafficPolicy'] as const;
const BALANCED = ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const;

/** The spec with the old one's allocated ports, if the update has none. k8s.io/kubernetes, patchAllocatedValues */
export function withKeptPorts(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = needsNodePorts(before) && needsNodePorts(spec) ? withNodePorts(spec, before) : spec;
  const { healthCheckNodePort } = before;
  const keepsHealth = needsHealthPort(before) && needsHealthPort(spec) && healthCheckNodePort !== undefined;
  return keepsHealth && numberOf(kept.healthCheckNodePort) === 0 ? { ...kept, healthCheckNodePort } : kept;
}

/** Copies node ports by the name of the port, unless another port has the number now. */
function withNodePorts(spec: JsonObject, before: JsonObject): JsonObject {
  const old = portsOf(before);
  const numbers = (ports: readonly JsonObject[]) => ports.map(({ nodePort }) => numberOf(nodePort));
  const now = numbers(portsOf(spec));
  const used = new Set(numbers(old).filter((number) => now.includes(number)));
  const byName = new Map(old.map(({ name = '', nodePort }) => [name, numberOf(nodePort)]));
  const ports = portsOf(spec).map((port) => {
    const number = byName.get(port.name ?? '') ?? 0;
    if (numberOf(port.nodePort) !== 0 || number === 0 || used.has(number)) return port;
    used.add(number);
    return { ...port, nodePort: number };
  });
  return ports.length === 0 ? spec : { ...spec, ports };
}

/** Drops unchanged fields of a type that the Service no longer has. dropTypeDependentFields */
export function withoutFormer(spec: JsonObject, before: JsonObject): JsonObject {
  const rest: JsonObject = { ...spec };
  const drop = (fields: readonly string[]) => {
    const same = fields.filter((field) => jsonEquals(rest[field] ?? null, before[field] ?? null));
    for (const field of same) delete rest[field];
  };
  if (isReached(before) && !isReached(spec)) drop(REACHED);
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') drop(BALANCED);
  if (needsHealthPort(before) && !needsHealthPort(spec)) drop(['healthCheckNodePort']);
  if (!needsNodePorts(before) || needsNodePorts(spec) || !hasSamePorts(spec, before)) return rest;
  const ports = portsOf(spec).map(({ nodePort: _given, ...port }) => port);
  return ports.length === 0 ? rest : { ...rest, ports };
}

function isReached(spec: JsonObject): boolean {
  const { externalIPs } = spec;
  return (
    needsNodePorts(spec) ||
    (spec.type === 'ClusterIP' && Array.isArray(externalIPs) && externalIPs.length > 0)
  );
}

function hasSamePorts(spec: JsonObject, before: JsonObject): boolean {
  const numbers = (of: JsonObject) =>
    portsOf(of)
      .map(({ nodePort }) => numberOf(nodePort))
      .filter((one) => one !== 0);
  return jsonEquals(numbers(spec).sort(), numbers(before).sort());
}

import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { labelKeyErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { isAddress, isEndpoint, isRange } from '../addresses.ts';
import { PROTOCOLS } from '../containers/index.ts';
import {
  type Errors,
  invalidFor,
  label,
  oneOf,
  portNumberErrors,
  portNumberOrName,
  subdomain,
} from '../errors.ts';
import { labels } from '../label-selectors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const FAMILIES = ['IPv4', 'IPv6'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const LONGEST_AFFINITY_SECONDS = 86_400;

/** Checks a Service as Kubernetes does, except for rules about its network, which does not exist here. */
export function* service(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const ports = objectsOf(spec.ports);
  const headless = spec.clusterIP === 'None';
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') yield required('spec.ports');
  yield* ofType(spec, headless);
  const names = new Set<string>();
  for (const [at, port] of ports.entries()) {
    yield* servicePort(index('spec.ports', at), port, { names, needsName: ports.length > 1 });
  }
  yield* labels('spec.selector', spec.selector);
  yield* sessionAffinity(spec);
  if (spec.type !== 'ExternalName') yield* families(spec);
  for (const [at, address] of textsOf(spec.externalIPs).entries()) {
    const own = index('spec.externalIPs', at);
    const errors = [...isAddress(own, address)];
    yield* errors.length > 0 ? errors : isEndpoint(own, address);
  }
  yield* oneOf('spec.type', spec.type, TYPES);
  yield* portsTogether(spec, ports);
  yield* loadBalancer(spec);
  yield* traffic(spec);
}

/** Checks the update of a Service. Its cluster IP is immutable, except for a change from or to ExternalName. */
export function* serviceUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return;
  const [addresses, kept] = [spec.clusterIPs ?? [], before.clusterIPs ?? []];
  const first = textsOf(kept)[0];
  if (first === undefined || jsonEquals(textsOf(addresses)[0] ?? null, first)) return;
  const printed = `[]string{${textsOf(addresses)
    .map((one) => JSON.stringify(one))
    .join(', ')}}`;
  const detail = `${printed}: may not change once set`;
  yield { type: 'Invalid', field: 'spec.clusterIPs[0]', detail };
}

function* ofType(spec: JsonObject, headless: boolean): Errors {
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && headless) {
    yield invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type !== 'ExternalName') return;
  const detail = 'may not be set for ExternalName services';
  if (textsOf(spec.clusterIPs).length > 0) yield forbidden('spec.clusterIPs', detail);
  if (textsOf(spec.ipFamilies).length > 0) yield forbidden('spec.ipFamilies', detail);
  if (isThere(spec.ipFamilyPolicy)) yield forbidden('spec.ipFamilyPolicy', detail);
  const name = textOf(spec.externalName).replace(/\.$/, '');
  if (name === '') {
    yield required('spec.externalName');
  } else {
    yield* subdomain('spec.externalName', name);
  }
}

interface PortContext {
  readonly names: Set<string>;
  readonly needsName: boolean;
}

function* servicePort(path: string, port: JsonObject, { names, needsName }: PortContext): Errors {
  const name = textOf(port.name);
  if (name === '') {
    if (needsName) yield required(child(path, 'name'));
  } else {
    yield* label(child(path, 'name'), name);
    if (names.has(name)) yield duplicate(child(path, 'name'), name);
    names.add(name);
  }
  yield* invalidFor(child(path, 'port'), numberOf(port.port), portNumberErrors(numberOf(port.port)));
  yield* oneOf(child(path, 'protocol'), port.protocol, PROTOCOLS);
  yield* portNumberOrName(child(path, 'targetPort'), port.targetPort);
  if (isThere(port.appProtocol)) {
    const protocol = textOf(port.appProtocol);
    yield* invalidFor(child(path, 'appProtocol'), protocol, labelKeyErrors(protocol));
  }
}

function* sessionAffinity(spec: JsonObject): Errors {
  const { sessionAffinity: affinity, sessionAffinityConfig: config } = spec;
  yield* oneOf('spec.sessionAffinity', affinity, ['ClientIP', 'None']);
  const path = 'spec.sessionAffinityConfig';
  if (affinity === 'None' && isThere(config)) {
    yield forbidden(path, 'must not be set when session affinity is None');
  }
  if (affinity !== 'ClientIP') return;
  const seconds = objectAt(objectAt(config).clientIP).timeoutSeconds;
  const own = child(path, 'clientIP.timeoutSeconds');
  if (!isThere(seconds)) {
    yield required(own, 'when session affinity type is ClientIP');
  } else if (numberOf(seconds) <= 0 || numberOf(seconds) > LONGEST_AFFINITY_SECONDS) {
    yield invalid(own, seconds, `must be greater than 0 and less than ${LONGEST_AFFINITY_SECONDS}`);
  }
}

function* families(spec: JsonObject): Errors {
  for (const [at, family] of textsOf(spec.ipFamilies).entries()) {
    if (!FAMILIES.includes(family)) yield notSupported(index('spec.ipFamilies', at), family, FAMILIES);
  }
  const { ipFamilyPolicy: policy } = spec;
  if (isThere(policy) && !FAMILY_POLICIES.includes(textOf(policy))) {
    yield notSupported('spec.ipFamilyPolicy', policy, FAMILY_POLICIES);
  }
  for (const [at, address] of textsOf(spec.clusterIPs).entries()) {
    if (address !== 'None') yield* isAddress(index('spec.clusterIPs', at), address);
  }
}

function* portsTogether(spec: JsonObject, ports: readonly JsonObject[]): Errors {
  if (spec.type === 'ClusterIP') {
    for (const [at, port] of ports.entries()) {
      if (numberOf(port.nodePort) === 0) continue;
      const detail = "may not be used when `type` is 'ClusterIP'";
      yield forbidden(child(index('spec.ports', at), 'nodePort'), detail);
    }
  }
  const nodePorts = new Set<string>();
  for (const [at, { protocol, nodePort }] of ports.entries()) {
    const [number, key] = [numberOf(nodePort), `${textOf(protocol)} ${numberOf(nodePort)}`];
    if (number === 0) continue;
    if (nodePorts.has(key)) yield duplicate(child(index('spec.ports', at), 'nodePort'), number);
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const [at, port] of ports.entries()) {
    const key = `${textOf(port.protocol)} ${numberOf(port.port)}`;
    if (seen.has(key)) yield { type: 'Duplicate', field: index('spec.ports', at), detail: printedPort(port) };
    seen.add(key);
  }
}

function printedPort({ protocol, port }: JsonObject): string {
  return `core.ServicePort{Name:"", Protocol:${JSON.stringify(textOf(protocol))}, AppProtocol:(*string)(nil), Port:${numberOf(port)}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`;
}

function* loadBalancer(spec: JsonObject): Errors {
  const balanced = spec.type === 'LoadBalancer';
  const detail = "may only be used when `type` is 'LoadBalancer'";
  const ranges = textsOf(spec.loadBalancerSourceRanges);
  const path = 'spec.LoadBalancerSourceRanges';
  if (ranges.length > 0 && !balanced) yield forbidden(path, detail);
  for (const [at, range] of ranges.entries()) yield* isRange(index(path, at), range.trim());
  if (isThere(spec.allocateLoadBalancerNodePorts) && !balanced) {
    yield forbidden('spec.allocateLoadBalancerNodePorts', detail);
  }
  if (!isThere(spec.loadBalancerClass)) return;
  if (!balanced) yield forbidden('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'");
  const name = textOf(spec.loadBalancerClass);
  yield* invalidFor('spec.loadBalancerClass', name, labelKeyErrors(name));
}

const POLICIES = ['Cluster', 'Local'];

function* traffic(spec: JsonObject): Errors {
  const { type, externalTrafficPolicy: outside, internalTrafficPolicy: inside } = spec;
  const reached = type === 'LoadBalancer' || type === 'NodePort' || textsOf(spec.externalIPs).length > 0;
  const path = 'spec.externalTrafficPolicy';
  if (reached) {
    yield* oneOf(path, outside ?? 'Cluster', POLICIES);
  } else if (textOf(outside) !== '') {
    yield invalid(path, textOf(outside), 'may only be set for externally-accessible services');
  }
  const port: JsonValue = spec.healthCheckNodePort ?? 0;
  if (numberOf(port) !== 0 && !(type === 'LoadBalancer' && outside === 'Local')) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    yield invalid('spec.healthCheckNodePort', port, detail);
  }
  if (isThere(inside) && !POLICIES.includes(textOf(inside))) {
    yield notSupported('spec.internalTrafficPolicy', inside, POLICIES);
  }
}

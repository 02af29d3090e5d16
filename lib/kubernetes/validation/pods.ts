import { type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { dns1123SubdomainErrors } from '../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../field-errors/index.ts';
import { isAddress } from './addresses.ts';
import {
  containerResources,
  containers,
  ephemeralContainers,
  initContainers,
  podSecurityContext,
  trimmedImage,
} from './containers/index.ts';
import { type Errors, invalidFor, label, oneOf, subdomain } from './errors.ts';
import { goTexts } from './go-values.ts';
import { labelKey, labels } from './label-selectors.ts';
import { annotations } from './metadata.ts';
import { operatingSystem } from './operating-systems.ts';
import { podAnnotations } from './pod-annotations.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from './reading.ts';
import { affinity, tolerations, topologySpread } from './scheduling.ts';
import { readVolumes } from './volumes/index.ts';

const LONGEST_DEADLINE_SECONDS = 2 ** 31 - 1;
const RESTARTS = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 32;
const LONGEST_SEARCHES = 2_048;

/** Checks a pod, and the annotations that Kubernetes reads. */
export function* pod(body: JsonObject, old?: JsonObject): Errors {
  yield* podAnnotations(body, old);
  const spec = objectAt(body.spec);
  yield* podSpec('spec', spec);
  yield* tokensNeedAccount(spec);
  for (const field of ['containers', 'initContainers']) {
    for (const [at, container] of objectsOf(spec[field]).entries()) {
      yield* trimmedImage(index(child('spec', field), at), container);
    }
  }
}

export function* newPod(body: JsonObject): Errors {
  yield* pod(body);
  if (objectsOf(objectAt(body.spec).ephemeralContainers).length > 0) {
    yield forbidden('spec.ephemeralContainers', 'cannot be set on create');
  }
}

function* tokensNeedAccount(spec: JsonObject): Errors {
  if (textOf(spec.serviceAccountName) !== '') return;
  for (const [at, volume] of objectsOf(spec.volumes).entries()) {
    for (const [nth, source] of objectsOf(objectAt(volume.projected).sources).entries()) {
      if (!isThere(source.serviceAccountToken)) continue;
      const path = `${index('spec.volumes', at)}.projected.${index('sources', nth)}.serviceAccountToken`;
      yield forbidden(path, 'must not be specified when serviceAccountName is not set');
    }
  }
}

/** Checks the template of pods. */
export function* podTemplate(path: string, value: JsonValue | undefined): Errors {
  const { metadata, spec } = objectAt(value);
  yield* labels(child(path, 'labels'), objectAt(metadata).labels);
  yield* annotations(child(path, 'annotations'), objectAt(metadata).annotations);
  yield* podSpec(child(path, 'spec'), objectAt(spec));
  if (objectsOf(objectAt(spec).ephemeralContainers).length > 0) {
    yield forbidden(
      child(path, 'spec.ephemeralContainers'),
      'ephemeral containers not allowed in pod template',
    );
  }
}

function* podSpec(path: string, spec: JsonObject): Errors {
  const { errors, volumes } = readVolumes(child(path, 'volumes'), spec.volumes);
  yield* errors;
  const context = { spec, volumes, graceSeconds: numberOf(spec.terminationGracePeriodSeconds) };
  yield* containers(child(path, 'containers'), context);
  yield* initContainers(child(path, 'initContainers'), context);
  yield* ephemeralContainers(child(path, 'ephemeralContainers'), context);
  yield* hostNetwork(path, spec);
  yield* oneOf(child(path, 'restartPolicy'), spec.restartPolicy, RESTARTS);
  yield* oneOf(child(path, 'dnsPolicy'), spec.dnsPolicy, DNS_POLICIES);
  yield* labels(child(path, 'nodeSelector'), spec.nodeSelector);
  yield* podSecurityContext(child(path, 'securityContext'), spec);
  yield* affinity(child(path, 'affinity'), spec.affinity);
  yield* dnsConfig(child(path, 'dnsConfig'), spec);
  yield* gates(path, spec);
  yield* topologySpread(child(path, 'topologySpreadConstraints'), spec.topologySpreadConstraints);
  yield* hostUsers(path, spec);
  yield* names(path, spec);
  yield* operatingSystem(path, spec);
}

function* hostNetwork(path: string, spec: JsonObject): Errors {
  if (spec.hostNetwork !== true) return;
  for (const [at, container] of objectsOf(spec.containers).entries()) {
    for (const [nth, port] of objectsOf(container.ports).entries()) {
      if (numberOf(port.hostPort) === numberOf(port.containerPort)) continue;
      const own = `${index(child(path, 'containers'), at)}.${index('ports', nth)}.hostPort`;
      yield invalid(own, numberOf(port.hostPort), 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

function* dnsConfig(path: string, spec: JsonObject): Errors {
  const config = objectAt(spec.dnsConfig);
  const servers = textsOf(config.nameservers);
  if (spec.dnsPolicy === 'None' && !isThere(spec.dnsConfig)) {
    yield required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  if (spec.dnsPolicy === 'None' && servers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    yield required(child(path, 'nameservers'), detail);
    return;
  }
  if (servers.length > MOST_NAMESERVERS) {
    const detail = `must not have more than ${MOST_NAMESERVERS} nameservers`;
    yield { type: 'Invalid', field: child(path, 'nameservers'), value: servers, detail };
  }
  for (const [at, server] of servers.entries()) {
    yield* isAddress(index(child(path, 'nameservers'), at), server);
  }
  yield* searches(child(path, 'searches'), textsOf(config.searches));
  for (const [at, option] of objectsOf(config.options).entries()) {
    if (textOf(option.name) === '') yield required(index(child(path, 'options'), at), 'must not be empty');
  }
}

/** Checks the search domains for DNS names. */
function* searches(path: string, all: readonly string[]): Errors {
  const tooMuch = (detail: string) => invalidPrinted(path, goTexts([...all]), detail);
  if (all.length > MOST_SEARCHES) yield tooMuch(`must not have more than ${MOST_SEARCHES} search paths`);
  if (all.join(' ').length > LONGEST_SEARCHES) {
    yield tooMuch(
      `must not have more than ${LONGEST_SEARCHES} characters (including spaces) in the search list`,
    );
  }
  for (const [at, search] of all.entries()) {
    const domain = search === '.' ? 'root' : search.replace(/\.$/, '');
    const errors = dns1123SubdomainErrors(domain.replaceAll('_', 'x'));
    const told = errors.map((error) =>
      error.replace("characters, '-' or '.'", "characters, '_', '-' or '.'"),
    );
    yield* invalidFor(index(path, at), search.replace(/(?<=.)\.$/, ''), told);
  }
}

function* gates(path: string, spec: JsonObject): Errors {
  for (const [at, gate] of objectsOf(spec.readinessGates).entries()) {
    yield* labelKey(
      child(index(child(path, 'readinessGates'), at), 'conditionType'),
      textOf(gate.conditionType),
    );
  }
  const seen = new Set<string>();
  for (const [at, gate] of objectsOf(spec.schedulingGates).entries()) {
    const own = index(child(path, 'schedulingGates'), at);
    const name = textOf(gate.name);
    yield* labelKey(own, name);
    if (seen.has(name)) yield duplicate(own, name);
    seen.add(name);
  }
}

function* hostUsers(path: string, spec: JsonObject): Errors {
  if (spec.hostUsers !== false) return;
  const named = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  for (const [field, shown] of Object.entries(named)) {
    if (spec[field] === true) yield forbidden(child(path, shown), 'when `pod.Spec.HostUsers` is false');
  }
}

function* names(path: string, spec: JsonObject): Errors {
  for (const field of ['serviceAccountName', 'nodeName']) {
    if (textOf(spec[field]) !== '') yield* subdomain(child(path, field), textOf(spec[field]));
  }
  const { activeDeadlineSeconds: deadline } = spec;
  if (isThere(deadline) && (numberOf(deadline) < 1 || numberOf(deadline) > LONGEST_DEADLINE_SECONDS)) {
    const detail = `must be between 1 and ${LONGEST_DEADLINE_SECONDS}, inclusive`;
    yield invalid(child(path, 'activeDeadlineSeconds'), deadline, detail);
  }
  for (const field of ['hostname', 'subdomain']) {
    if (textOf(spec[field]) !== '') yield* label(child(path, field), textOf(spec[field]));
  }
  yield* tolerations(child(path, 'tolerations'), spec.tolerations);
  yield* hostAliases(child(path, 'hostAliases'), spec.hostAliases);
  for (const field of ['priorityClassName', 'runtimeClassName']) {
    if (textOf(spec[field]) !== '') yield* subdomain(child(path, field), textOf(spec[field]));
  }
  const { preemptionPolicy, overhead, os } = spec;
  if (isThere(preemptionPolicy)) {
    yield* oneOf(child(path, 'preemptionPolicy'), preemptionPolicy, ['PreemptLowerPriority', 'Never']);
  }
  if (isThere(overhead)) yield* containerResources(child(path, 'overhead'), { limits: overhead });
  const system = textOf(objectAt(os).name);
  if (isThere(os) && system === '') yield required(child(path, 'os.name'));
  if (system !== '' && system !== 'linux' && system !== 'windows') {
    yield notSupported(child(path, 'os'), system, ['linux', 'windows']);
  }
}

function* hostAliases(path: string, value: JsonValue | undefined): Errors {
  for (const [at, alias] of objectsOf(value).entries()) {
    const own = index(path, at);
    yield* isAddress(child(own, 'ip'), textOf(alias.ip));
    for (const [nth, name] of textsOf(alias.hostnames).entries()) {
      yield* subdomain(index(child(own, 'hostnames'), nth), name);
    }
  }
}

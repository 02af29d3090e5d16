import { isJsonObject, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { child, index, key } from '../../field-errors/index.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';
import { addressWarnings } from './address-warnings.ts';
import { fractionWarnings } from './fractions.ts';
import { deprecatedKey, nodeSelectorWarnings, nodeTermWarnings } from './node-labels.ts';
import { type Located, portNameWarnings, portWarnings } from './port-warnings.ts';
import { podVolumeWarnings } from './volume-warnings.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NO_SELECTOR = 'a null labelSelector results in matching no pod';
const BYTES = ['memory', 'ephemeral-storage'];
const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** The annotations that have no effect any more. */
const ANNOTATIONS: readonly (readonly [name: string, message: string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];
const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

/**
 * Yields the warnings about a pod, or the template of one, in Kubernetes' order. Follows warningsForPodSpecAndMeta of
 * k8s.io/kubernetes/pkg/api/pod.
 *
 * @param path that of the template: `spec.template`; `''` for a pod
 */
export function* podWarnings(path: string, pod: JsonObject): Generator<string> {
  const spec = objectAt(pod.spec);
  const own = child(path, 'spec');
  const containers = containersOf(own, spec);
  yield* schedulingWarnings(own, spec);
  yield* annotationWarnings(path, pod);
  yield* podVolumeWarnings(child(own, 'volumes'), objectsOf(spec.volumes));
  yield* repeated(child(own, 'hostAliases'), objectsOf(spec.hostAliases), 'ip');
  yield* pullSecretWarnings(child(own, 'imagePullSecrets'), objectsOf(spec.imagePullSecrets));
  yield* fractionWarnings(child(own, 'overhead'), spec.overhead, BYTES);
  yield* profileWarnings(path, pod, containers);
  for (const [at, container] of containers) yield* containerWarnings(at, container);
  yield* portWarnings(containers);
  yield* portNameWarnings(containers);
  if (numberOf(spec.terminationGracePeriodSeconds) < 0) {
    yield `${child(own, 'terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`;
  }
  yield* podAffinityWarnings(child(own, 'affinity'), objectAt(spec.affinity));
  yield* podAddressWarnings(own, spec);
}

function containersOf(path: string, spec: JsonObject): Located[] {
  return CONTAINERS.flatMap((field) =>
    objectsOf(spec[field]).map((container, at): Located => [index(child(path, field), at), container]),
  );
}

function* schedulingWarnings(path: string, spec: JsonObject): Generator<string> {
  yield* nodeSelectorWarnings(child(path, 'nodeSelector'), spec.nodeSelector);
  const { nodeAffinity } = objectAt(spec.affinity);
  const affinity = child(path, 'affinity.nodeAffinity');
  const { [REQUIRED]: required, [PREFERRED]: preferred } = objectAt(nodeAffinity);
  for (const [at, term] of objectsOf(objectAt(required).nodeSelectorTerms).entries()) {
    yield* nodeTermWarnings(index(`${affinity}.${REQUIRED}.nodeSelectorTerms`, at), term);
  }
  for (const [at, { preference }] of objectsOf(preferred).entries()) {
    const own = index(`${affinity}.${PREFERRED}`, at);
    yield* nodeTermWarnings(child(own, 'preference'), preference, { checksValues: true });
  }
  for (const [at, constraint] of objectsOf(spec.topologySpreadConstraints).entries()) {
    const own = index(child(path, 'topologySpreadConstraints'), at);
    yield* deprecatedKey(child(own, 'topologyKey'), textOf(constraint.topologyKey));
    if (!isThere(constraint.labelSelector)) yield `${child(own, 'labelSelector')}: ${NO_SELECTOR}`;
  }
}

function* annotationWarnings(path: string, pod: JsonObject): Generator<string> {
  const present = objectAt(metadataOf(pod).annotations);
  for (const [name, message] of ANNOTATIONS) {
    if (Object.hasOwn(present, name)) yield `${annotation(path, name)}: ${message}`;
  }
}

function annotation(path: string, name: string): string {
  return key(child(path, 'metadata.annotations'), name);
}

/** Warns of values of a field that are in the list twice. */
function* repeated(path: string, items: readonly JsonObject[], field: string): Generator<string> {
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    const value = textOf(item[field]);
    if (seen.has(value)) {
      yield `${child(index(path, at), field)}: duplicate ${field} ${JSON.stringify(value)}`;
    }
    seen.add(value);
  }
}

function* pullSecretWarnings(path: string, secrets: readonly JsonObject[]): Generator<string> {
  yield* repeated(path, secrets, 'name');
  for (const [at, { name }] of secrets.entries()) {
    if (textOf(name) === '') yield `${child(index(path, at), 'name')}: invalid empty name ""`;
  }
}

/** Warns of annotations about seccomp and AppArmor without the fields that replace them. */
function* profileWarnings(path: string, pod: JsonObject, containers: readonly Located[]): Generator<string> {
  const present = objectAt(metadataOf(pod).annotations);
  const ofPod = objectAt(objectAt(pod.spec).securityContext);
  if (!isJsonObject(ofPod.seccompProfile) && Object.hasOwn(present, SECCOMP_OF_POD)) {
    yield `${annotation(path, SECCOMP_OF_POD)}: ${SECCOMP}`;
  }
  for (const [, { name, securityContext }] of containers) {
    const own = objectAt(securityContext);
    const seccomp = SECCOMP_OF_CONTAINER + textOf(name);
    if (!isJsonObject(own.seccompProfile) && Object.hasOwn(present, seccomp)) {
      yield `${annotation(path, seccomp)}: ${SECCOMP}`;
    }
    const appArmor = APP_ARMOR + textOf(name);
    const hasField = isJsonObject(ofPod.appArmorProfile) || isJsonObject(own.appArmorProfile);
    // For a pod, Kubernetes copies the annotation into the field.
    if (path !== '' && !hasField && Object.hasOwn(present, appArmor)) {
      yield `${annotation(path, appArmor)}: deprecated since v1.30; use the "appArmorProfile" field instead`;
    }
  }
}

function* containerWarnings(path: string, { resources, env }: JsonObject): Generator<string> {
  const { requests, limits } = objectAt(resources);
  yield* fractionWarnings(child(path, 'resources.limits'), limits, BYTES);
  yield* fractionWarnings(child(path, 'resources.requests'), requests, BYTES);
  const names = new Set<string>();
  for (const [at, variable] of objectsOf(env).entries()) {
    const name = textOf(variable.name);
    if (names.has(name) && hides(name, variable)) {
      yield `${index(child(path, 'env'), at)}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    }
    names.add(name);
  }
}

/** Whether a second definition of a variable makes the first one useless: its value does not extend that. */
function hides(name: string, { value, valueFrom }: JsonObject): boolean {
  const reference = `$(${name})`;
  return isThere(valueFrom) || textOf(value) === reference || !textOf(value).includes(reference);
}

function* podAffinityWarnings(path: string, affinity: JsonObject): Generator<string> {
  for (const field of ['podAffinity', 'podAntiAffinity']) {
    const { [REQUIRED]: required, [PREFERRED]: preferred } = objectAt(affinity[field]);
    const own = child(path, field);
    for (const [at, term] of objectsOf(required).entries()) {
      yield* termWarnings(index(`${own}.${REQUIRED}`, at), term);
    }
    for (const [at, { podAffinityTerm }] of objectsOf(preferred).entries()) {
      yield* termWarnings(`${index(`${own}.${PREFERRED}`, at)}.podAffinityTerm`, podAffinityTerm);
    }
  }
}

function* termWarnings(path: string, term: JsonValue | undefined): Generator<string> {
  if (!isThere(objectAt(term).labelSelector)) yield `${child(path, 'labelSelector')}: ${NO_SELECTOR}`;
}

function* podAddressWarnings(path: string, { dnsConfig, hostAliases }: JsonObject): Generator<string> {
  for (const [at, server] of textsOf(objectAt(dnsConfig).nameservers).entries()) {
    yield* addressWarnings(index(child(path, 'dnsConfig.nameservers'), at), server);
  }
  for (const [at, { ip }] of objectsOf(hostAliases).entries()) {
    yield* addressWarnings(child(index(child(path, 'hostAliases'), at), 'ip'), textOf(ip));
  }
}

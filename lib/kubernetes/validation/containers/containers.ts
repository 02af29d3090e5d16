import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  notFound,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor, label, oneOf, portNameErrors, portNumberErrors } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf } from '../reading.ts';
import { environment, environmentFrom } from './environment.ts';
import { lifecycle, probes } from './handlers.ts';
import { type Volumes, volumeDevices, volumeMounts } from './mounts.ts';
import { containerResources } from './resources.ts';
import { securityContext } from './security-context.ts';

export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const RESIZED = ['cpu', 'memory'];
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
/** The fields that ephemeral containers cannot have. */
const NOT_EPHEMERAL = ['ports', 'lifecycle', ...PROBES, 'resources', 'resizePolicy', 'restartPolicy'];

/** The properties of a pod that the rules of its containers need. */
export interface PodContext {
  readonly spec: JsonObject;
  readonly volumes: Volumes;
  readonly graceSeconds: number;
}

export function* containers(path: string, pod: PodContext): Errors {
  const all = objectsOf(pod.spec.containers);
  if (all.length === 0) {
    yield required(path);
    return;
  }
  const names = new Set<string>();
  for (const [at, container] of all.entries()) {
    const own = index(path, at);
    yield* anyContainer(own, container, pod);
    yield* uniqueName(own, container, names);
    yield* lifecycle(child(own, 'lifecycle'), container.lifecycle, pod.graceSeconds);
    yield* probes(own, container, pod.graceSeconds);
    if (isThere(container.restartPolicy)) {
      yield forbidden(child(own, 'restartPolicy'), 'may not be set for non-init containers');
    }
  }
  yield* hostPorts(path, all);
}

/** Checks containers that run before the others. With `restartPolicy` Always they keep running. */
export function* initContainers(path: string, pod: PodContext): Errors {
  const names = new Set(objectsOf(pod.spec.containers).map(({ name }) => textOf(name)));
  for (const [at, container] of objectsOf(pod.spec.initContainers).entries()) {
    const own = index(path, at);
    yield* anyContainer(own, container, pod);
    const policy = container.restartPolicy;
    if (isThere(policy) && policy !== 'Always') {
      yield notSupported(child(own, 'restartPolicy'), policy, ['Always']);
    }
    yield* uniqueName(own, container, names);
    yield* hostPorts(path, [container]);
    if (policy === 'Always') {
      yield* lifecycle(child(own, 'lifecycle'), container.lifecycle, pod.graceSeconds);
      yield* probes(own, container, pod.graceSeconds);
      continue;
    }
    for (const field of ['lifecycle', ...PROBES]) {
      if (!isThere(container[field])) continue;
      yield forbidden(child(own, field), 'may not be set for init containers without restartPolicy=Always');
    }
  }
}

/** Checks ephemeral containers, which users add to debug a pod. */
export function* ephemeralContainers(path: string, pod: PodContext): Errors {
  const others = [...objectsOf(pod.spec.containers), ...objectsOf(pod.spec.initContainers)];
  const names = new Set(others.map(({ name }) => textOf(name)));
  const targets = new Set(names);
  for (const [at, container] of objectsOf(pod.spec.ephemeralContainers).entries()) {
    const own = index(path, at);
    yield* anyContainer(own, container, pod);
    yield* trimmedImage(own, container);
    yield* uniqueName(own, container, names);
    const target = textOf(container.targetContainerName);
    if (target !== '' && !targets.has(target)) yield notFound(child(own, 'targetContainerName'), target);
    for (const field of NOT_EPHEMERAL) {
      if (isSaid(container[field])) {
        yield forbidden(child(own, field), 'cannot be set for an Ephemeral Container');
      }
    }
  }
}

function isSaid(value: JsonValue | undefined): boolean {
  if (!isThere(value)) return false;
  return typeof value === 'string' || Object.values(value ?? {}).length > 0;
}

/** Checks that the image has no surrounding whitespace. This rule applies to pods, not to templates. */
export function* trimmedImage(path: string, { image }: JsonObject): Errors {
  const name = textOf(image);
  if (name.trim() !== name) {
    yield invalid(child(path, 'image'), name, 'must not have leading or trailing whitespace');
  }
}

function* uniqueName(path: string, container: JsonObject, names: Set<string>): Errors {
  const name = textOf(container.name);
  if (names.has(name)) yield duplicate(child(path, 'name'), name);
  names.add(name);
}

function* anyContainer(path: string, container: JsonObject, { spec, volumes }: PodContext): Errors {
  const name = textOf(container.name);
  if (name === '') {
    yield required(child(path, 'name'));
  } else {
    yield* label(child(path, 'name'), name);
  }
  if (textOf(container.image) === '') yield required(child(path, 'image'));
  const messages = ['File', 'FallbackToLogsOnError'];
  yield* oneOf(child(path, 'terminationMessagePolicy'), container.terminationMessagePolicy, messages);
  yield* ports(child(path, 'ports'), container.ports);
  yield* environment(child(path, 'env'), container.env);
  yield* environmentFrom(child(path, 'envFrom'), container.envFrom);
  yield* volumeMounts(child(path, 'volumeMounts'), container, volumes);
  yield* volumeDevices(child(path, 'volumeDevices'), container, volumes);
  const pulls = ['Always', 'IfNotPresent', 'Never'];
  yield* oneOf(child(path, 'imagePullPolicy'), container.imagePullPolicy, pulls);
  yield* containerResources(child(path, 'resources'), objectAt(container.resources));
  yield* resizePolicies(child(path, 'resizePolicy'), container.resizePolicy, spec);
  yield* securityContext(child(path, 'securityContext'), container.securityContext, spec.hostUsers !== false);
}

function* ports(path: string, value: JsonValue | undefined): Errors {
  const names = new Set<string>();
  for (const [at, port] of objectsOf(value).entries()) {
    const own = index(path, at);
    const name = textOf(port.name);
    const errors = name === '' ? [] : portNameErrors(name);
    yield* invalidFor(child(own, 'name'), name, errors);
    if (errors.length === 0 && names.has(name)) yield duplicate(child(own, 'name'), name);
    if (errors.length === 0 && name !== '') names.add(name);
    const number = numberOf(port.containerPort);
    if (number === 0) {
      yield required(child(own, 'containerPort'));
    } else {
      yield* invalidFor(child(own, 'containerPort'), number, portNumberErrors(number));
    }
    const host = numberOf(port.hostPort);
    if (host !== 0) yield* invalidFor(child(own, 'hostPort'), host, portNumberErrors(host));
    yield* oneOf(child(own, 'protocol'), port.protocol, PROTOCOLS);
  }
}

function* hostPorts(path: string, all: readonly JsonObject[]): Errors {
  const taken = new Set<string>();
  for (const [at, container] of all.entries()) {
    for (const [nth, port] of objectsOf(container.ports).entries()) {
      const host = numberOf(port.hostPort);
      if (host === 0) continue;
      const address = `${textOf(port.protocol)}/${textOf(port.hostIP)}/${host}`;
      if (taken.has(address)) {
        yield duplicate(child(index(child(index(path, at), 'ports'), nth), 'hostPort'), address);
      }
      taken.add(address);
    }
  }
}

function* resizePolicies(path: string, value: JsonValue | undefined, spec: JsonObject): Errors {
  const seen = new Set<string>();
  for (const [at, policy] of objectsOf(value).entries()) {
    const [name, restart] = [textOf(policy.resourceName), textOf(policy.restartPolicy)];
    if (seen.has(name)) yield duplicate(index(path, at), name);
    seen.add(name);
    if (name !== '' && !RESIZED.includes(name)) {
      // Kubernetes shows this name without quotes.
      const supported = `supported values: ${RESIZED.map((one) => JSON.stringify(one)).join(', ')}`;
      yield { type: 'NotSupported', field: path, detail: `${name}: ${supported}` };
    }
    if (name === '') yield required(path);
    yield* oneOf(path, restart, ['NotRequired', 'RestartContainer']);
    if (spec.restartPolicy === 'Never' && restart !== 'NotRequired') {
      yield invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

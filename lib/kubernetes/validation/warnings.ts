import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import { child, index } from '../field-errors/index.ts';
import { nanosOf } from './containers/index.ts';
import { numberOf, objectsOf, textOf } from './reading.ts';

const NODE_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};
const ANNOTATIONS: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const BYTES = ['memory', 'ephemeral-storage'];
const UNIT = 10n ** 9n;
const RECYCLED =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Returns the warnings about a written object. `kind` is a kind of the core group. */
export function warningsOf(kind: string, body: JsonObject, creates: boolean): string[] {
  switch (kind) {
    case 'Pod':
      return creates ? [...podWarnings(body)] : [];
    case 'PersistentVolume':
      return objectAt(body.spec ?? {}).persistentVolumeReclaimPolicy === 'Recycle' ? [RECYCLED] : [];
    case 'Secret':
      return secretWarnings(body);
    default:
      return [];
  }
}

/**
 * Yields warnings for common fields. Follows GetWarningsForPod of k8s.io/kubernetes/pkg/api/pod, without rare volume
 * types.
 */
function* podWarnings(body: JsonObject): Generator<string> {
  const spec = objectAt(body.spec ?? {});
  for (const [key, message] of Object.entries(NODE_LABELS)) {
    if (objectAt(spec.nodeSelector ?? {})[key] !== undefined) yield `spec.nodeSelector[${key}]: ${message}`;
  }
  for (const [key, message] of Object.entries(ANNOTATIONS)) {
    if (objectAt(metadataOf(body).annotations ?? {})[key] !== undefined) {
      yield `metadata.annotations[${key}]: ${message}`;
    }
  }
  for (const field of ['initContainers', 'containers']) {
    for (const [at, container] of objectsOf(spec[field]).entries()) {
      yield* containerWarnings(index(`spec.${field}`, at), container);
    }
  }
  if (numberOf(spec.terminationGracePeriodSeconds) < 0) {
    yield 'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
  }
}

function* containerWarnings(path: string, container: JsonObject): Generator<string> {
  const { requests, limits } = objectAt(container.resources ?? {});
  yield* fractions(child(path, 'resources.requests'), requests);
  yield* fractions(child(path, 'resources.limits'), limits);
  const names = new Set<string>();
  for (const [at, { name }] of objectsOf(container.env).entries()) {
    if (names.has(textOf(name))) {
      const own = index(child(path, 'env'), at);
      yield `${own}: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    }
    names.add(textOf(name));
  }
  yield* doubledPorts(child(path, 'ports'), objectsOf(container.ports));
}

function* fractions(path: string, amounts: JsonValue | undefined): Generator<string> {
  const present = objectAt(amounts ?? {});
  for (const name of BYTES) {
    const amount = present[name];
    if (amount === undefined || nanosOf(amount) % UNIT === 0n) continue;
    yield `${path}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`;
  }
}

function* doubledPorts(path: string, ports: readonly JsonObject[]): Generator<string> {
  const seen = new Map<string, number>();
  for (const [at, { containerPort, protocol, hostIP = '', hostPort = 0 }] of ports.entries()) {
    const key = [containerPort, protocol, hostIP, hostPort].join(' ');
    const first = seen.get(key);
    if (first !== undefined) yield `${index(path, at)}: duplicate port definition with ${index(path, first)}`;
    seen.set(key, first ?? at);
  }
}

/** Returns the warnings about a Secret as it was sent, before `stringData` is merged into `data`. */
function secretWarnings({ type, data, stringData }: JsonObject): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const text = objectAt(stringData ?? {})['tls.crt'];
  const encoded = textOf(objectAt(data ?? {})['tls.crt']);
  const certificate = textOf(text) || Buffer.from(encoded, 'base64').toString('latin1');
  return /-----BEGIN [^-]+-----/.test(certificate)
    ? []
    : ['tls: failed to find any PEM data in certificate input'];
}

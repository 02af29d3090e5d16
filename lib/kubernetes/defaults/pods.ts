import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import type { Defaults } from './defaults.ts';
import { isZero } from './is-zero.ts';
import { tagOf } from './tag-of.ts';

const CONTAINERS = ['containers', 'initContainers'] as const;

/** The defaults of pods and their templates. */
export const podDefaults: Defaults = {
  'core.v1.Container': pullPolicy,
  'core.v1.EphemeralContainer': pullPolicy,
  'core.v1.Volume': (volume) => {
    if (Object.keys(volume).every((field) => field === 'name')) volume.emptyDir = {};
  },
  'core.v1.PodSpec': (spec) => {
    const account = isZero(spec.serviceAccountName) ? spec.serviceAccount : spec.serviceAccountName;
    if (!isZero(account)) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
    if (spec.hostNetwork === true) for (const container of containersOf(spec)) openOnHost(container);
  },
  'core.v1.Pod': ({ spec }) => {
    if (!isJsonObject(spec)) return;
    spec.enableServiceLinks ??= true;
    if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
    for (const container of containersOf(spec)) requestLimits(container);
  },
};

/** Sets the pull policy. The tag `latest`, explicit or implied, may point to another image later. */
function pullPolicy(container: JsonObject): void {
  if (isZero(container.imagePullPolicy)) {
    container.imagePullPolicy = tagOf(String(container.image ?? '')) === 'latest' ? 'Always' : 'IfNotPresent';
  }
}

function containersOf(spec: JsonObject): JsonObject[] {
  return CONTAINERS.flatMap((list) => objectsIn(spec[list]));
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function openOnHost({ ports }: JsonObject): void {
  for (const port of objectsIn(ports)) if (isZero(port.hostPort)) port.hostPort = port.containerPort ?? 0;
}

/** Sets missing requests to the limits. */
function requestLimits({ resources }: JsonObject): void {
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return;
  resources.requests = { ...resources.limits, ...objectAt(resources.requests) };
}

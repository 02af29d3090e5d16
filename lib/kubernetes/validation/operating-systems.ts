import { type JsonObject, objectAt } from '../../json/index.ts';
import { child, forbidden, index, invalid } from '../field-errors/index.ts';
import type { Errors } from './errors.ts';
import { isThere, objectsOf } from './reading.ts';

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];
/**
 * The fields of a pod, and of a container, that only Linux supports, in the order in which Kubernetes checks them.
 */
const OF_PODS = [
  ...['securityContext.appArmorProfile', 'securityContext.seLinuxOptions', 'hostUsers', 'hostPID', 'hostIPC'],
  ...['securityContext.seccompProfile', 'securityContext.fsGroup', 'securityContext.fsGroupChangePolicy'],
  ...['securityContext.sysctls', 'shareProcessNamespace', 'securityContext.runAsUser'],
  ...['securityContext.runAsGroup', 'securityContext.supplementalGroups'],
  ...['securityContext.supplementalGroupsPolicy', 'securityContext.seLinuxChangePolicy'],
];
const OF_CONTAINERS = [
  ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'],
  ...['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
];
/** Fields that are not pointers. False counts as unset. */
const FLAGS: ReadonlySet<string> = new Set(['hostPID', 'hostIPC']);

/** Checks the fields that the pod's operating system does not support. */
export function* operatingSystem(path: string, spec: JsonObject): Errors {
  const { name } = objectAt(spec.os);
  yield* hostProcesses(path, spec);
  if (name === 'windows') {
    yield* ofWindows(path, spec);
  } else if (name === 'linux') {
    yield* ofLinux(path, spec);
  }
}

function* ofWindows(path: string, spec: JsonObject): Errors {
  const context = objectAt(spec.securityContext);
  for (const field of isThere(spec.securityContext) ? OF_PODS : []) {
    const [outer = '', inner] = field.split('.');
    const value = inner === undefined ? spec[outer] : context[inner];
    if (FLAGS.has(field) ? value === true : isThere(value)) {
      yield forbidden(child(path, field), 'cannot be set for a windows pod');
    }
  }
  for (const [own, security] of securityContexts(path, spec)) {
    for (const field of OF_CONTAINERS) {
      if (isThere(security[field])) yield forbidden(child(own, field), 'cannot be set for a windows pod');
    }
  }
}

function* ofLinux(path: string, spec: JsonObject): Errors {
  const own = child(path, 'securityContext');
  for (const [at, security] of [
    [own, objectAt(spec.securityContext)] as const,
    ...securityContexts(path, spec),
  ]) {
    if (!isThere(security.windowsOptions)) continue;
    yield forbidden(child(at, 'windowsOptions'), 'windows options cannot be set for a linux pod');
  }
}

function securityContexts(path: string, spec: JsonObject): (readonly [path: string, context: JsonObject])[] {
  return LISTS.flatMap((list) =>
    objectsOf(spec[list]).map((container, at) => {
      const own = child(index(child(path, list), at), 'securityContext');
      return [own, objectAt(container.securityContext)] as const;
    }),
  );
}

/** Checks that pods with containers that are Windows host processes use the host's network. */
function* hostProcesses(path: string, spec: JsonObject): Errors {
  const contexts = [objectAt(spec.securityContext), ...securityContexts(path, spec).map(([, own]) => own)];
  const some = contexts.some(({ windowsOptions }) => objectAt(windowsOptions).hostProcess === true);
  if (!some || spec.hostNetwork === true) return;
  const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
  yield invalid(child(path, 'hostNetwork'), false, detail);
}

import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import {
  child,
  duplicate,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
} from '../../field-errors/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goPointer, goSecurityContext } from '../go-values.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';
import { appArmorProfile, seccompProfile } from './profiles.ts';

const LARGEST_ID = 2 ** 31 - 1;

/** Checks the security context of a container. */
export function* securityContext(path: string, value: JsonValue | undefined, hasHostUsers: boolean): Errors {
  const context = objectAt(value);
  yield* runAs(path, context);
  const { procMount } = context;
  if (isThere(procMount) && procMount !== 'Default' && procMount !== 'Unmasked') {
    yield notSupported(child(path, 'procMount'), procMount, ['Default', 'Unmasked']);
  }
  if (hasHostUsers && procMount === 'Unmasked') {
    const printed = goPointer('core.ProcMountType', procMount);
    yield invalidPrinted(child(path, 'procMount'), printed, '`hostUsers` must be false to use `Unmasked`');
  }
  yield* seccompProfile(child(path, 'seccompProfile'), context.seccompProfile);
  yield* escalation(path, context);
  yield* appArmorProfile(child(path, 'appArmorProfile'), context.appArmorProfile);
}

/**
 * Checks privilege escalation. It cannot be disabled for a privileged container or with the capability CAP_SYS_ADMIN.
 */
function* escalation(path: string, context: JsonObject): Errors {
  if (context.allowPrivilegeEscalation !== false) return;
  const cannot = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged === true) {
    yield invalidPrinted(path, goSecurityContext(context), `${cannot} \`privileged\` to true`);
  }
  for (const one of textsOf(objectAt(context.capabilities).add)) {
    if (one !== 'CAP_SYS_ADMIN') continue;
    yield invalidPrinted(path, goSecurityContext(context), `${cannot} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}

/** Checks the security context of a pod. */
export function* podSecurityContext(path: string, spec: JsonObject): Errors {
  const context = objectAt(spec.securityContext);
  yield* id(child(path, 'fsGroup'), context.fsGroup);
  yield* runAs(path, context);
  const { supplementalGroups: groups, fsGroupChangePolicy: policy } = context;
  for (const [at, group] of (Array.isArray(groups) ? groups : []).entries()) {
    yield* id(index(child(path, 'supplementalGroups'), at), group);
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    yield invalid(child(path, 'shareProcessNamespace'), true, detail);
  }
  if (isThere(policy) && policy !== 'OnRootMismatch' && policy !== 'Always') {
    yield notSupported(child(path, 'fsGroupChangePolicy'), policy, ['Always', 'OnRootMismatch']);
  }
  yield* sysctls(child(path, 'sysctls'), context.sysctls);
  yield* seccompProfile(child(path, 'seccompProfile'), context.seccompProfile);
  yield* appArmorProfile(child(path, 'appArmorProfile'), context.appArmorProfile);
  const { supplementalGroupsPolicy: groupsPolicy } = context;
  if (isThere(groupsPolicy) && groupsPolicy !== 'Merge' && groupsPolicy !== 'Strict') {
    yield notSupported(child(path, 'supplementalGroupsPolicy'), groupsPolicy, ['Merge', 'Strict']);
  }
}

const SYSCTL_PATTERN = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL_SEGMENT = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const LONGEST_SYSCTL = 253;

/** Checks kernel settings. */
function* sysctls(path: string, value: JsonValue | undefined): Errors {
  const names = new Set<string>();
  for (const [at, sysctl] of objectsOf(value).entries()) {
    const own = child(index(path, at), 'name');
    const name = textOf(sysctl.name);
    const isGood =
      name.length <= LONGEST_SYSCTL && name.split(/[./]/).every((part) => SYSCTL_SEGMENT.test(part));
    if (name === '') {
      yield required(own);
    } else if (!isGood) {
      const detail = `must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL_PATTERN}`;
      yield invalid(own, name, detail);
    } else if (names.has(name)) yield duplicate(own, name);
    names.add(name);
  }
}

function* runAs(path: string, { runAsUser, runAsGroup }: JsonObject): Errors {
  yield* id(child(path, 'runAsUser'), runAsUser);
  yield* id(child(path, 'runAsGroup'), runAsGroup);
}

function* id(path: string, value: JsonValue | undefined): Errors {
  if (!isThere(value)) return;
  const number = numberOf(value);
  const good = number >= 0 && number <= LARGEST_ID;
  yield* invalidFor(path, number, good ? [] : [`must be between 0 and ${LARGEST_ID}, inclusive`]);
}

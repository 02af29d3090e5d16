import { type JsonObject, type JsonValue, objectAt } from '../../../store/index.ts';
import { child, index, invalid, notSupported } from '../../field-errors/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { isThere, numberOf } from '../reading.ts';

const LARGEST_ID = 2 ** 31 - 1;

/** Who a container's processes are. */
export function* securityContext(path: string, value: JsonValue | undefined): Errors {
  const context = objectAt(value);
  yield* runAs(path, context);
  const { procMount } = context;
  if (isThere(procMount) && procMount !== 'Default' && procMount !== 'Unmasked') {
    yield notSupported(child(path, 'procMount'), procMount, ['Default', 'Unmasked']);
  }
}

/** Who all processes of a pod are. */
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
